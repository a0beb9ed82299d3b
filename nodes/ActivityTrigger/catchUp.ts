import { advance, STRETCH, type ChainView } from '../core/chain/follow';
import type { News, Position, Step } from '../core/chain/position';

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
	position: Position,
	view: ChainView,
	{ last, most, deadline }: Limits,
): Promise<Step> {
	const news: News[] = [];
	let reached = position;
	let end = 0;
	try {
		for (let isMoving = true; isMoving; ) {
			if (news.length === 0) end = Math.min(last, reached.next - 1 + most);
			const to = Math.min(end, reached.next - 1 + STRETCH);
			const step = await advance(reached, to, view, last);
			reached = step.position;
			news.push(...step.news);
			const isMore = to < (news.length === 0 ? last : end);
			isMoving = reached.next === to + 1 && isMore && Date.now() < deadline;
		}
	} catch (failure) {
		if (news.length === 0) return await Promise.reject(failure);
	}
	return { position: reached, news };
}
