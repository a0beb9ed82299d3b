import { NodeLagging, type BlockRange } from '../chain/blocks';
import { rangeRefusal, type RangeRefusal } from '../chain/rangeRefusal';
import { RequestFailure } from '../errors/requestFailure';
import { advance, type ChainView } from './advance';
import type { Advance, Cursor } from './position';
import type { BlockSpan } from '../chain/blockSpan';

interface Reach {
	/** The chain's latest block. */
	readonly head: number;
	/** The last block to read; asked again before each range. */
	readonly last: () => number;
	/** How many blocks are read at a time. */
	readonly span: BlockSpan;
}

/** How often a range is tried, shorter each time: the node may be behind, or refuse it. */
const ATTEMPTS = 2 * 16;

/** Reads the chain on from a cursor, range by range. Ends where it should, or fails where the node has no more to tell. */
export async function* readOn(
	start: Cursor,
	view: ChainView,
	{ head, last, span }: Reach,
): AsyncGenerator<Advance> {
	for (let cursor = start; ; ) {
		const step = await rangeFrom(cursor, view, { head, last, span });
		span.widen();
		yield step;
		if (step.cursor === cursor || step.cursor.next > last()) return;
		cursor = step.cursor;
	}
}

/** The next range, as far as the node lets it be read at once. */
async function rangeFrom(cursor: Cursor, view: ChainView, { head, last, span }: Reach) {
	let known = last();
	for (let attempt = 1; ; attempt++) {
		const to = Math.min(known, cursor.next - 1 + span.blocks);
		try {
			return await advance(cursor, to, view, head);
		} catch (failure) {
			const isMetHalfway = failure instanceof NodeLagging && failure.block > cursor.next;
			const refusal = refusalOf(failure, { from: cursor.next, to });
			const helps = isMetHalfway || (refusal !== undefined && span.blocks > 1);
			if (attempt === ATTEMPTS || !helps) return await Promise.reject(failure);
			if (isMetHalfway) known = Math.min(to, failure.block) - 1;
			else if (refusal) span.narrow([{ blocks: to - cursor.next + 1, refusal }]);
		}
	}
}

/** What a node says of a search that spans, or finds, too much. */
function refusalOf(failure: unknown, range: BlockRange): RangeRefusal | undefined {
	const refusal = failure instanceof RequestFailure ? rangeRefusal(failure, range) : undefined;
	return refusal && ['blocks', 'contents'].includes(refusal.because) ? refusal : undefined;
}
