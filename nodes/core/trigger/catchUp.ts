import { BLOCKS_PER_REQUEST, type Head } from '../chain/blocks';
import { BlockSpan } from '../chain/rangeSize';
import { readForward, type ChainView } from '../chain/advance';
import type { Cursor, CursorAdvance, Emission } from '../chain/cursor';

/** All items of a poll lie in memory. */
export const MAX_ITEMS_PER_POLL = 20_000;

interface CatchUpLimits {
	/** The chain's latest block. */
	readonly head: Head;
	/** The last block that may be read. */
	readonly last: number;
	readonly blocksPerRange?: number;
	/** The number of blocks to read, without those before the first find; there is no limit unless given. */
	readonly maxBlocks?: number;
	/** Nothing more is read after so many items; there is no limit unless given. */
	readonly maxItems?: number;
	readonly deadline: number;
}

interface CatchUpResult extends CursorAdvance {
	/** The reason why the reading ended too early. */
	readonly failure?: unknown;
}

/**
 * Reads up to the last block as long as there is time. Quiet ranges do not count: n8n stores the cursor only with an
 * execution, so that a long one may have to be read again after a restart. When a range fails, what the ones before it
 * gave is kept, and the next poll meets the failure again.
 */
export async function catchUp(
	cursor: Cursor,
	view: ChainView,
	{
		head,
		last,
		blocksPerRange = BLOCKS_PER_REQUEST,
		maxBlocks = Infinity,
		maxItems = Infinity,
		deadline,
	}: CatchUpLimits,
): Promise<CatchUpResult> {
	const emissions: Emission[] = [];
	let reached = cursor;
	let end = last;
	const getEnd = () => {
		if (emissions.length === 0) end = Math.min(last, reached.next - 1 + maxBlocks);
		return end;
	};
	try {
		const reach = { head, last: getEnd, span: new BlockSpan(undefined, blocksPerRange) };
		for await (const step of readForward(cursor, view, reach)) {
			reached = step.cursor;
			for (const emission of step.emissions) emissions.push(emission);
			if (Date.now() >= deadline || emissions.length >= maxItems) break;
		}
	} catch (failure) {
		return { cursor: reached, emissions, failure };
	}
	return { cursor: reached, emissions };
}
