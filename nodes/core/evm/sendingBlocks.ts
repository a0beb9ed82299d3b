import { nullIfRefused, type BlockRange } from '../chain/blocks';
import type { RpcCaller } from '../chain/reader';
import { NodeLagging } from '../errors/nodeLagging';
import { RequestFailure } from '../errors/requestFailure';
import { numberToHex } from '../values/numbers';
import { quantityParser } from './chainObjects';

/** A block with transactions of an account. Their nonces begin at `first` and end before `end`. */
export interface SendingBlock {
	readonly number: number;
	readonly first: bigint;
	readonly end: bigint;
}

interface SendingBlocks {
	/** The newest first. */
	readonly blocks: readonly SendingBlock[];
	/** The block after which no block is missing. */
	readonly after: number;
	/** The nonce of the account after the last block of the range. */
	readonly next: bigint;
}

/** How many transactions the account has sent in the block or earlier. */
interface Count {
	readonly block: number;
	readonly sent: bigint;
}

/** Two counts between which the account has sent transactions. */
interface Span {
	readonly before: Count;
	readonly after: Count;
}

/** How many blocks with transactions of the account are found. If there are more, the older blocks are left out. */
const MAX_BLOCKS = 200;

/** Finds the blocks of a range in which an account has sent transactions, as far back as the node has the state. */
export async function findSendingBlocks(
	reader: RpcCaller,
	account: string,
	{ from, to }: BlockRange,
): Promise<SendingBlocks> {
	const start = Math.max(from - 1, 0);
	const [last, first] = await Promise.all(
		[to, start].map(async (block) => await readCount(reader, account, block)),
	);
	if (!last) throw new NodeLagging(to);
	const base = first ?? (await readOldestCount(reader, account, { from: start, to })) ?? last;
	let found = keepNewest([base, last], base.block);
	while (found.spans.some(isWide)) {
		const points = await cutSpans(reader, account, found.spans);
		found = keepNewest(points, found.after);
	}
	const blocks = found.spans.map(({ before, after }) => ({
		number: after.block,
		first: before.sent,
		end: after.sent,
	}));
	return { blocks: blocks.reverse(), after: found.after, next: last.sent };
}

/**
 * Reads how many transactions the account has sent up to a block; undefined if the node no longer has the state of the
 * block.
 */
async function readCount(
	reader: RpcCaller,
	account: string,
	block: number,
): Promise<Count | undefined> {
	const answer = await reader
		.call('eth_getTransactionCount', [account, numberToHex(block)], { isFresh: true })
		.catch(nullIfRefused);
	if (answer === null) return undefined;
	return { block, sent: quantityParser('a transaction count')(answer) };
}

/** How far back a node may still keep the state of blocks. Most nodes keep 128 blocks. */
const KEPT_BLOCKS = [100_000, 10_000, 1_000, 250, 120, 60, 30, 10, 3];

async function readOldestCount(
	reader: RpcCaller,
	account: string,
	{ from, to }: BlockRange,
): Promise<Count | undefined> {
	const blocks = KEPT_BLOCKS.map((kept) => to - kept).filter((block) => block > from);
	const counts = await Promise.all(
		blocks.map(async (block) => await readCount(reader, account, block)),
	);
	return counts.find((count) => count !== undefined);
}

/**
 * Finds the newest spans in which the account has sent transactions. Also returns `after`: no such span after this
 * block is missing.
 */
function keepNewest(points: ReadonlyArray<Count | undefined>, after: number) {
	const lost = points.lastIndexOf(undefined);
	const counts = points.slice(lost + 1).filter((one) => one !== undefined);
	const spans = counts.flatMap((count, index) => {
		const before = counts[index - 1];
		return before && isSending(before, count) ? [{ before, after: count }] : [];
	});
	const [first] = counts;
	const known = lost < 0 || !first ? after : first.block;
	const dropped = spans.at(-MAX_BLOCKS - 1)?.after.block ?? 0;
	return { spans: spans.slice(-MAX_BLOCKS), after: Math.max(known, dropped) };
}

function isSending(before: Count, after: Count): boolean {
	if (after.sent >= before.sent) return after.sent > before.sent;
	throw new RequestFailure(
		'The chain node contradicts itself about the transactions of the account',
		{
			description: `At the end of block ${before.block} the chain node counts ${before.sent} transactions, and at the end of block ${after.block} only ${after.sent}. The chain node may be catching up with the chain. Run the workflow again in a moment.`,
		},
	);
}

function isWide({ before, after }: Span): boolean {
	return after.block - before.block > 1;
}

/** The most counts that are read at the same time. With more spans than this, one count is read for each span. */
const PROBES = 32;

/** Divides each span into parts (few spans into many), and gives the counts at all ends in order. */
async function cutSpans(
	reader: RpcCaller,
	account: string,
	spans: readonly Span[],
): Promise<Array<Count | undefined>> {
	const parts = Math.max(2, Math.floor(PROBES / spans.length) + 1);
	const points = spans.map(async ({ before, after }) => {
		const inside = await Promise.all(
			chooseBetween(before.block, after.block, parts).map(
				async (block) => await readCount(reader, account, block),
			),
		);
		return [before, ...inside, after];
	});
	return (await Promise.all(points)).flat();
}

function chooseBetween(from: number, to: number, parts: number): number[] {
	const step = (to - from) / Math.min(parts, to - from);
	const blocks = Array.from({ length: parts - 1 }, (_, index) =>
		Math.floor(from + (index + 1) * step),
	);
	return blocks.filter((block) => block < to);
}
