import { advance, type ChainView } from '../core/evm/follow/advance';
import { BLOCKS_AT_ONCE } from '../core/evm/blockRange';
import type { Emission, Cursor, Advance } from '../core/evm/follow/cursor';

interface Limits {
	/** The last block that may be read. */
	readonly last: number;
	/** How many blocks to read, not counting those before the first find. */
	readonly most: number;
	readonly deadline: number;
}

/**
 * Goes on to the last block, stretch by stretch, as long as there is time. Where nothing happened it goes on at once:
 * n8n keeps the place only together with an execution, and after a restart long quiet times lie behind. When a
 * stretch fails, what the ones before it gave is not lost: the failure will come again with the next poll.
 */
export async function catchUp(
	cursor: Cursor,
	view: ChainView,
	{ last, most, deadline }: Limits,
): Promise<Advance> {
	const emissions: Emission[] = [];
	let reached = cursor;
	let end = 0;
	try {
		for (let isMoving = true; isMoving; ) {
			if (emissions.length === 0) end = Math.min(last, reached.next - 1 + most);
			const to = Math.min(end, reached.next - 1 + BLOCKS_AT_ONCE);
			const step = await advance(reached, to, view, last);
			reached = step.cursor;
			emissions.push(...step.emissions);
			const isMore = to < (emissions.length === 0 ? last : end);
			isMoving = reached.next === to + 1 && isMore && Date.now() < deadline;
		}
	} catch (failure) {
		if (emissions.length === 0) return await Promise.reject(failure);
	}
	return { cursor: reached, emissions };
}
