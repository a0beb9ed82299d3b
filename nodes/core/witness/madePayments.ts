import type { MadePayment, MadePayments } from '../chain/ownPayment';
import type { RestReader } from '../chain/reader';
import { mapInParallel } from '../net/pacing/concurrency';
import { isRecord, rethrow } from '../values/parse';
import { formatWitnessAddresses, parseWitnessAccount } from './address';
import { parseNumberPart } from './blockParts';
import {
	parseChecked,
	readHead,
	readBlock,
	readNextBlocks,
	type BareBlock,
	type BlockHeader,
} from './blocks';
import { findPaid, hasMoved } from './paidTokens';
import { askWallet, READ_CONCURRENCY, readWaitingTransactions } from './waitingTransactions';
import { nullIfRefused, type BlockRange } from '../chain/blocks';
import { NodeLagging } from '../errors/nodeLagging';
import { readToHead } from './reader';

/** Which payments are wanted. */
interface Wanted {
	/** In milliseconds since 1970. */
	readonly since: number;
	/** The tokens whose payments are searched for in addition to payments of coins. */
	readonly tokens: readonly string[];
}

/**
 * Reads what an account has paid by its own transactions since a time. No node lists those of an account, so that the blocks are
 * looked through, unless the account has done nothing; what waits for a block is there as far as the node shows it.
 */
export async function readMadePayments(
	reader: RestReader,
	account: string,
	{ since, tokens }: Wanted,
): Promise<MadePayments> {
	const own = parseWitnessAccount(account);
	const wanted = new Set(tokens.map((token) => parseWitnessAccount(token)));
	// Pending transactions are read before the blocks: one that enters a block meanwhile is in at least one of the two.
	const waiting = await readWaitingTransactions(reader);
	const now = Date.now();
	const mined = await readMined(reader, own, { since, now });
	const paid = mined.blocks.flatMap(({ timestamp, transactions }) =>
		transactions.flatMap((one) => findPaid(one, own, wanted, timestamp)),
	);
	const hashes = new Set(mined.blocks.flatMap((block) => block.transactions.map(({ id }) => id)));
	const waits = waiting.filter(({ id }) => !hashes.has(id));
	return {
		payments: [
			...(await dropUnmoved(reader, own, paid)),
			...waits.flatMap((one) => findPaid(one, own, wanted, now)),
		],
		since: mined.since,
	};
}

/** A node without any block of the requested time knows nothing about that time. */
async function readMined(
	reader: RestReader,
	account: string,
	{ since, now }: Readonly<Record<'since' | 'now', number>>,
) {
	const head = await readHead(reader);
	if (head.timestamp < since) return { blocks: [], since: now };
	return (await isQuiet(reader, account, since))
		? { blocks: [], since }
		: await readBlocksBack(reader, head, since);
}

/** Blocks come every three seconds, or later after an outage of the chain. */
const MAX_BLOCK_GAP_MS = 300_000;

/** Whether the account has sent nothing since. A node gives the account's last time by the previous block. */
async function isQuiet(reader: RestReader, account: string, since: number): Promise<boolean> {
	const body = { address: formatWitnessAddresses(account).hex, visible: false };
	const answer = await askWallet(reader, 'getaccount', body);
	// The chain has misspelt it from its beginning.
	const last = isRecord(answer) ? answer.latest_opration_time : undefined;
	if (last === undefined || last === null) return false;
	const time = parseChecked(last, 'an account', (given) =>
		parseNumberPart(given, 'latest_opration_time'),
	);
	return time > 0 && time < since - MAX_BLOCK_GAP_MS;
}

/** Some tokens refuse without failing, so their logs decide what was moved. */
async function dropUnmoved(
	reader: RestReader,
	account: string,
	paid: readonly MadePayment[],
): Promise<MadePayment[]> {
	const kept = await mapInParallel(paid.length, READ_CONCURRENCY, async (index) => {
		const one = paid[index];
		if (!one || one.token === null) return one;
		const info = await askWallet(reader, 'gettransactioninfobyid', { value: one.hash });
		return hasMoved(info, account, one.token) ? one : undefined;
	});
	return kept.filter((one) => one !== undefined);
}

interface BlocksSince {
	/** In no order. */
	readonly blocks: readonly BareBlock[];
	/** The time since which no block is missing, in milliseconds since 1970. */
	readonly since: number;
}

const BLOCK_MS = 3000;
const BLOCKS_PER_PART = 20;
const MAX_PARALLEL_PARTS = 4;
/** Twenty minutes of blocks, which are some hundred megabytes on a busy chain. */
const MAX_BLOCKS = 400;

/** Reads the blocks up to the head, the newest first, until a block is earlier than needed or the node has no more. */
export async function readBlocksBack(
	reader: RestReader,
	head: BlockHeader,
	since: number,
): Promise<BlocksSince> {
	const view = readToHead(reader);
	const blocks: BareBlock[] = [];
	// The oldest block that was read, behind which the next ones are read.
	let first = { number: head.number + 1, timestamp: head.timestamp + 1 };
	const isWhole = () => first.timestamp < since || first.number === 0;
	while (!isWhole() && blocks.length < MAX_BLOCKS) {
		const ranges = chooseRanges(first, since);
		const parts = await Promise.all(ranges.map(async (range) => await readPart(view, range)));
		const lost = parts.indexOf(null);
		const whole = (lost < 0 ? parts : parts.slice(0, lost)).flatMap((part) => part ?? []);
		const rest = ranges[lost];
		const read = rest ? [...whole, ...(await readDown(view, rest, head))] : whole;
		for (const one of read) blocks.push(one);
		first = read.reduce((oldest, one) => (one.number < oldest.number ? one : oldest), first);
		if (lost >= 0) break;
	}
	return {
		blocks: blocks.filter(({ timestamp }) => timestamp >= since),
		since: isWhole() ? since : Math.max(since, first.timestamp),
	};
}

/** The next parts before a block, as many as the time may take. */
function chooseRanges(
	{ number, timestamp }: Pick<BlockHeader, 'number' | 'timestamp'>,
	since: number,
): BlockRange[] {
	const expected = Math.ceil((timestamp - since) / BLOCK_MS / BLOCKS_PER_PART);
	const count = Math.min(Math.max(expected, 1), MAX_PARALLEL_PARTS);
	return Array.from({ length: count }, (_, index) => {
		const to = number - 1 - index * BLOCKS_PER_PART;
		return { from: Math.max(to - BLOCKS_PER_PART + 1, 0), to };
	}).filter(({ to }) => to >= 0);
}

/** Null if the node does not give these blocks. */
async function readPart(reader: RestReader, range: BlockRange): Promise<BareBlock[] | null> {
	return await readWhole(reader, range).catch(nullIfMissing);
}

/** A missing block below the head is one that the node does not keep. */
function nullIfMissing(failure: unknown): null {
	return failure instanceof NodeLagging ? null : nullIfRefused(failure);
}

/** Reads a range from its end, until a block is missing. A node that lacks its own head is behind and gives no answer. */
async function readDown(
	reader: RestReader,
	{ from, to }: BlockRange,
	head: BlockHeader,
): Promise<BareBlock[]> {
	const found: BareBlock[] = [];
	for (let number = to; number >= from; number--) {
		const reading = readBlock(reader, number);
		const block = await (number === head.number ? reading : reading.catch(nullIfMissing));
		if (!block) break;
		found.push(block);
	}
	return found;
}

/** If a node gives only a part of the list, the rest is requested. */
async function readWhole(reader: RestReader, { from, to }: BlockRange): Promise<BareBlock[]> {
	const all: BareBlock[] = [];
	while (from + all.length <= to) {
		const range = { from: from + all.length, to };
		const { blocks, failure } = await readNextBlocks(reader, range, all.at(-1));
		if (failure !== undefined) return rethrow(failure);
		for (const one of blocks) all.push(one);
	}
	return all;
}
