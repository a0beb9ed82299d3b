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
 * Reads the payments that an account has made since a time by its own transactions. No node lists the transactions of
 * an account. So all blocks are read, unless the account has sent nothing. Pending payments count as far as the node
 * shows them.
 */
export async function readMadePayments(
	reader: RestReader,
	account: string,
	{ since, tokens }: Wanted,
): Promise<MadePayments> {
	const own = parseWitnessAccount(account);
	const wanted = new Set(tokens.map((token) => parseWitnessAccount(token)));
	// Pending transactions are read before the blocks. So a transaction that enters a block meanwhile is found by at least one of the two
	// reads.
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

/** Reads the blocks since a time. If even the node's newest block is earlier than this time, no blocks are read. */
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

/**
 * The longest gap between two blocks that is expected after an outage of the chain. Normally, blocks come every three
 * seconds.
 */
const MAX_BLOCK_GAP_MS = 300_000;

/**
 * Whether the account has sent nothing since a time. The node dates the account's last transaction by the block
 * before it.
 */
async function isQuiet(reader: RestReader, account: string, since: number): Promise<boolean> {
	const body = { address: formatWitnessAddresses(account).hex, visible: false };
	const answer = await askWallet(reader, 'getaccount', body);
	// The chain's own name for this field is misspelt.
	const last = isRecord(answer) ? answer.latest_opration_time : undefined;
	if (last === undefined || last === null) return false;
	const time = parseChecked(last, 'an account', (given) =>
		parseNumberPart(given, 'latest_opration_time'),
	);
	return time > 0 && time < since - MAX_BLOCK_GAP_MS;
}

/**
 * Drops token payments that moved nothing. Some tokens refuse a transfer without failing, so only the logs show
 * whether tokens moved.
 */
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
	/** The time since which all blocks were read, in milliseconds since 1970. */
	readonly since: number;
}

const BLOCK_MS = 3000;
const BLOCKS_PER_PART = 20;
const MAX_PARALLEL_PARTS = 4;
/** The most blocks that are read. They span twenty minutes, and have a few hundred megabytes on a busy chain. */
const MAX_BLOCKS = 400;

/** Reads blocks from the head back, until a block is earlier than needed or the node has no more blocks. */
export async function readBlocksBack(
	reader: RestReader,
	head: BlockHeader,
	since: number,
): Promise<BlocksSince> {
	const view = readToHead(reader);
	const blocks: BareBlock[] = [];
	// The oldest block that was read. The ranges that are read next end before it.
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

/** Chooses the next parts to read before a block. Their number is limited to what the time range probably needs. */
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

/** Reads all blocks of a range. Returns null if the node does not give them. */
async function readPart(reader: RestReader, range: BlockRange): Promise<BareBlock[] | null> {
	return await readWhole(reader, range).catch(nullIfMissing);
}

/** Returns null for a block that the node lacks. Below the head, a node lacks only the blocks that it no longer keeps. */
function nullIfMissing(failure: unknown): null {
	return failure instanceof NodeLagging ? null : nullIfRefused(failure);
}

/**
 * Reads a range from its end down to the first missing block. Throws if the missing block is the newest block that the
 * node has named: the node that answers is then behind.
 */
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

/** Reads all blocks of a range. If an answer has only a part of them, the rest is requested. */
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
