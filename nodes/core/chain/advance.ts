import { rethrow } from '../values/parse';
import { NodeLagging } from '../errors/nodeLagging';
import {
	nullIfRefused,
	ReorgDuringRead,
	type BlockRange,
	type BlockRef,
	type Head,
} from './blocks';
import { findRangeRefusal, type RangeRefusal } from './rangeRefusal';
import type { BlockSpan } from './rangeSize';
import { RequestFailure } from '../errors/requestFailure';
import { NOTHING_LOST } from './lag';
import { extendCursor, rollBack, type CursorAdvance, type ChainEvent, type Cursor } from './cursor';

interface AdvanceLimits {
	/** The chain's latest block. */
	readonly head: Head;
	/** Returns the last block to read. Is called again before each range. */
	readonly last: () => number;
	/** The number of blocks that are read at a time. */
	readonly span: BlockSpan;
}

/**
 * How often reading a range is tried. The range becomes shorter after each failure, because the node may lack blocks or
 * refuse so many.
 */
const MAX_RANGE_ATTEMPTS = 2 * 16;

/**
 * Reads the chain range by range, beginning at a cursor. Ends at the last block to read. Throws if the node does not
 * have all blocks.
 */
export async function* readForward(
	start: Cursor,
	view: ChainView,
	{ head, last, span }: AdvanceLimits,
): AsyncGenerator<CursorAdvance> {
	for (let cursor = start; ; ) {
		const step = await readNextRange(cursor, view, { head, last, span });
		span.widen();
		yield step;
		if (step.cursor === cursor || step.cursor.next > last()) return;
		cursor = step.cursor;
	}
}

/** Reads the next range, as wide as the node allows in one request. */
async function readNextRange(cursor: Cursor, view: ChainView, { head, last, span }: AdvanceLimits) {
	let known = last();
	for (let attempt = 1; ; attempt++) {
		const to = Math.min(known, cursor.next - 1 + span.blocks);
		try {
			return await advanceCursor(cursor, to, view, head);
		} catch (failure) {
			const isPartlyThere = failure instanceof NodeLagging && failure.block > cursor.next;
			const refusal = findSpanRefusal(failure, { from: cursor.next, to });
			const helps = isPartlyThere || (refusal !== undefined && span.blocks > 1);
			if (attempt === MAX_RANGE_ATTEMPTS || !helps) return rethrow(failure);
			// A node may lack many blocks, so the range ends earlier after each failed attempt.
			if (isPartlyThere)
				known = Math.max(cursor.next, Math.min(to, failure.block) - 2 ** (attempt - 1));
			else if (refusal) span.narrow([{ blocks: to - cursor.next + 1, refusal }]);
		}
	}
}

/** Returns the node's refusal if the search failed because it spans too many blocks, or finds too many events. */
function findSpanRefusal(failure: unknown, range: BlockRange): RangeRefusal | undefined {
	const refusal = failure instanceof RequestFailure ? findRangeRefusal(failure, range) : undefined;
	return refusal && ['blocks', 'contents'].includes(refusal.because) ? refusal : undefined;
}

/** How the followed chain is read. */
export interface ChainView {
	/** Reads the block that has this number at present; null if there is none yet. */
	readBlockRef(number: number): Promise<BlockRef | null>;
	/**
	 * Reads the events in the blocks, in order. `head` is the chain's latest block. Fails if the node may not know all
	 * events yet.
	 */
	readEvents(blocks: BlockRange, head: Head): Promise<readonly ChainEvent[]>;
	/** Whether items are emitted again, as removed, when a reorganization removes their block. */
	readonly emitsRemovals: boolean;
}

const MAX_REORG_ATTEMPTS = 3;

/**
 * Advances the cursor to a block. After a reorganization, it first goes back to the last checkpoint that is still on
 * the chain. The last block is read before and after the events. If its hash is unchanged, all events are on one
 * branch.
 */
export async function advanceCursor(
	cursor: Cursor,
	to: number,
	view: ChainView,
	head: Head = { number: to, time: NaN },
): Promise<CursorAdvance> {
	for (let attempt = 0; attempt < MAX_REORG_ATTEMPTS; attempt++) {
		try {
			const step = await tryAdvance(cursor, to, view, head);
			if (step) return step;
		} catch (failure) {
			if (!(failure instanceof ReorgDuringRead)) return rethrow(failure);
		}
	}
	const message = 'The trigger must read the blocks again: the chain kept replacing them';
	throw new RequestFailure(message, { description: NOTHING_LOST });
}

async function tryAdvance(
	cursor: Cursor,
	to: number,
	view: ChainView,
	head: Head,
): Promise<CursorAdvance | undefined> {
	const end = await requireBlock(view, to);
	const back = rollBack(cursor, await countCanonicalCheckpoints(cursor, view), view.emitsRemovals);
	const from = back.cursor.next;
	if (from > to) return (await requireBlock(view, to)).hash === end.hash ? back : undefined;
	const [events, first] = await Promise.all([
		view.readEvents({ from, to }, head),
		view.emitsRemovals ? view.readBlockRef(from).catch(nullIfRefused) : null,
	]);
	const blocks = events.map(({ block }) => block);
	const isOnBranch = (block: BlockRef) => block.number !== to || block.hash === end.hash;
	const isWhole = [first, ...blocks].every((block) => isConnected(block, back.cursor));
	if (!isWhole || !blocks.every(isOnBranch)) return undefined;
	if ((await requireBlock(view, to)).hash !== end.hash) return undefined;
	const { cursor: reached, emissions } = extendCursor(back.cursor, end, events, view.emitsRemovals);
	return { cursor: reached, emissions: [...back.emissions, ...emissions] };
}

async function requireBlock(view: ChainView, number: number): Promise<BlockRef> {
	const block = await view.readBlockRef(number);
	if (!block) throw new NodeLagging(number);
	return block;
}

/** Whether the block follows the last checkpoint. Nodes behind one address may serve different branches. */
function isConnected(block: BlockRef | null, { checkpoints, next }: Cursor): boolean {
	const last = checkpoints.at(-1);
	const isNext = block?.number === next && last?.number === next - 1;
	return !isNext || block.parentHash === undefined || block.parentHash === last.hash;
}

/** Counts the checkpoints that are still on the chain. A reorganization has removed all checkpoints above them. */
async function countCanonicalCheckpoints(
	{ checkpoints }: Cursor,
	view: ChainView,
): Promise<number> {
	let hasFork = false;
	for (const [index, { number, hash }] of [...checkpoints.entries()].reverse()) {
		const now = await view.readBlockRef(number);
		// If only the blocks above a known block are missing, there was no reorganization: the node is lagging.
		if (now?.hash === hash) return hasFork ? index + 1 : checkpoints.length;
		hasFork ||= now !== null;
	}
	return hasFork ? 0 : checkpoints.length;
}
