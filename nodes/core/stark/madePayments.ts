import { nullIfRefused, type BlockRange } from '../chain/blocks';
import type { MadePayment, MadePayments } from '../chain/ownPayment';
import type { RpcReader } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { findLargest } from '../values/numbers';
import { mapInParallel } from '../net/pacing/concurrency';
import { findBlockSince, readTimedBlock, type TimedBlock } from './blockAtTime';
import { isIndex } from './blocks';
import { readBlockRef } from './branch';
import { readEvents } from './eventRange';
import type { EventFilter, StarkEvent } from './events';
import { formatFelt, parseFeltNumber } from './felts';
import { FEE_TOKEN } from './tokens';
import {
	pickTransfers,
	readTransferFilters,
	sortDistinctTransfers,
	type Transfer,
	type TransferChoice,
} from './transfers';
import { readWaitingEvents } from './waitingEvents';
import { raise } from '../errors/raise';

/** Which payments are wanted. */
interface Wanted {
	/** In milliseconds since 1970. */
	readonly since: number;
	/** The tokens whose payments are searched for in addition to payments in STRK. */
	readonly tokens: readonly string[];
}

/**
 * Reads the payments that an account has made since a time, in STRK and in the given tokens. They are found by transfer events. Fees are
 * left out. Payments in the block being made count.
 */
export async function readMadePayments(
	reader: RpcReader,
	account: string,
	{ since, tokens }: Wanted,
): Promise<MadePayments> {
	const owner = parseFeltNumber(account);
	const searched = new Set([FEE_TOKEN, ...tokens.map((token) => parseFeltNumber(token))]);
	const choice = { tokens: [...searched], accounts: [owner], direction: 'from' } as const;
	// The block being made is read before the head. So a payment that is accepted meanwhile is found by at least one of the two reads.
	const waiting = await readWaitingEvents(reader, owner);
	const now = Date.now();
	const head = await readHead(reader);
	const { from, isWhole } = await findBlockSince(reader, head, since);
	const { transfers, after } = await readTransfersBack(
		reader,
		choice,
		{ from, to: head.number },
		head,
	);
	const known = isWhole && after < from ? since : await readTimeAfter(reader, after, head);
	const mined = await formatMined(reader, transfers);
	const hashes = new Set(mined.map(({ hash }) => hash));
	const waits = pickTransfers(choice, waiting.events.filter(isOf(searched)));
	const made = waiting.events.length === 0 ? [] : dropFees(waits, () => waiting.sequencer);
	return {
		payments: [
			...mined.filter(({ time }) => time >= since),
			...made.map((one) => formatPayment(one, now)).filter(({ hash }) => !hashes.has(hash)),
		],
		since: Math.max(since, waiting.areAll ? known : now),
		hidesWaiting: !waiting.areAll,
	};
}

function isOf(tokens: ReadonlySet<bigint>) {
	return ({ contract }: StarkEvent) => tokens.has(contract);
}

interface Head extends TimedBlock {
	readonly hash: string;
}

async function readHead(reader: RpcReader): Promise<Head> {
	const number = await reader.call('blockNumber', [], { isFresh: true });
	if (!isIndex(number)) throw invalidResponseError('a block number', number);
	const [timed, ref] = await Promise.all([
		readTimedBlock(reader, number),
		readBlockRef(reader, { block_number: number }),
	]);
	return timed && ref
		? { ...timed, hash: ref.hash }
		: raise(invalidResponseError('its latest block', ref));
}

/** The search for payments reads this many of the newest blocks first, and at most MAX_BLOCKS in all. */
const FIRST_BLOCKS = 50;
const MAX_BLOCKS = 20_000;
/** If a part has at most this many events, the next part has more blocks. */
const FEW_EVENTS = 500;
const GROWTH = 4;
/**
 * The most events of one filter in a part of the range, and the most in all parts. For some tokens, the node cannot
 * filter by account, and returns the transfers of all accounts.
 */
const MAX_EVENTS = { ofPart: 5_000, altogether: 30_000 };

/**
 * Reads the transfers of a range in parts, the newest first. It may end early. The result is complete for the blocks
 * after `after`.
 */
async function readTransfersBack(
	reader: RpcReader,
	choice: TransferChoice,
	{ from, to }: BlockRange,
	head: Head,
): Promise<{ readonly transfers: readonly Transfer[]; readonly after: number }> {
	const filters = from > to ? [] : await readTransferFilters(reader, choice);
	const lists: Transfer[][] = [];
	const least = Math.max(from, to - MAX_BLOCKS + 1);
	let [end, blocks, left] = [to, FIRST_BLOCKS, MAX_EVENTS.altogether];
	while (end >= least && left > 0) {
		const range = { from: Math.max(least, end - blocks + 1), to: end };
		const found = await Promise.all(
			filters.map(async (one) => await collect(reader, { ...one, lastBlock: head }, range)),
		);
		for (const events of found) lists.push(pickTransfers(choice, events));
		const counts = found.map(({ length }) => length);
		if (findLargest(counts) >= MAX_EVENTS.ofPart) break;
		const count = counts.reduce((sum, one) => sum + one, 0);
		[end, left] = [range.from - 1, left - count];
		if (count < FEW_EVENTS) blocks *= GROWTH;
	}
	return { transfers: sortDistinctTransfers(lists), after: end };
}

async function collect(
	reader: RpcReader,
	filter: EventFilter,
	range: BlockRange,
): Promise<StarkEvent[]> {
	const all: StarkEvent[] = [];
	for await (const events of readEvents(reader, filter, range, MAX_EVENTS.ofPart))
		for (const one of events) all.push(one);
	return all;
}

const READ_CONCURRENCY = 50;

async function formatMined(
	reader: RpcReader,
	transfers: readonly Transfer[],
): Promise<MadePayment[]> {
	const numbers = [...new Set(transfers.map(({ event }) => event.blockNumber ?? 0))];
	const blocks = new Map<number, TimedBlock>();
	await mapInParallel(numbers.length, READ_CONCURRENCY, async (index) => {
		const block = await findTimedBlock(reader, numbers[index] ?? 0);
		if (block) blocks.set(block.number, block);
	});
	const blockOf = ({ event }: Transfer) => blocks.get(event.blockNumber ?? 0);
	const paid = dropFees(transfers, (one) => blockOf(one)?.sequencer);
	return paid.map((one) => formatPayment(one, blockOf(one)?.time ?? Date.now()));
}

/**
 * Leaves out fees. The fee of a transaction is its last transfer, if the receiver is the sequencer, which makes the
 * blocks.
 */
function dropFees(
	transfers: readonly Transfer[],
	sequencerOf: (transfer: Transfer) => bigint | undefined,
): Transfer[] {
	const fees = transfers.filter(({ event }) => event.contract === FEE_TOKEN);
	const last = new Map(fees.map((one) => [one.event.transactionHash, one]));
	return transfers.filter(
		(one) => last.get(one.event.transactionHash) !== one || one.to !== sequencerOf(one),
	);
}

function formatPayment({ to, value, event }: Transfer, time: number): MadePayment {
	const hash =
		event.transactionHash ?? raise(invalidResponseError('an event with its transaction', null));
	const token = formatFelt(event.contract);
	return { to: formatFelt(to), token, value, comment: null, hash: formatFelt(hash), time };
}

/**
 * Returns the time since which all transfers were read. `number` is the newest block that was not read, so the result
 * is the time of the next block. If the node lacks that block, it is the time of the head.
 */
async function readTimeAfter(reader: RpcReader, number: number, head: Head): Promise<number> {
	if (number >= head.number) return head.time + 1;
	const block = await findTimedBlock(reader, number + 1);
	return block?.time ?? head.time;
}

/** Reads a block. Returns null if the node refuses because it no longer has the block. */
async function findTimedBlock(reader: RpcReader, number: number): Promise<TimedBlock | null> {
	return await readTimedBlock(reader, number).catch(nullIfRefused);
}
