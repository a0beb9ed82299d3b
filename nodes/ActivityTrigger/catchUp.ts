import { advance, STRETCH, type ChainView } from '../core/chain/follow';
import type { News, Position, Step } from '../core/chain/position';

/**
 * Goes on to the last block, stretch by stretch, as long as there is time. When a stretch fails, what the ones
 * before it gave is not lost: the failure will come again with the next poll.
 */
export async function catchUp(
	position: Position,
	last: number,
	view: ChainView,
	deadline: number,
): Promise<Step> {
	const news: News[] = [];
	let reached = position;
	try {
		for (let isMoving = true; isMoving; ) {
			const to = Math.min(last, reached.next - 1 + STRETCH);
			const step = await advance(reached, to, view);
			reached = step.position;
			news.push(...step.news);
			isMoving = reached.next === to + 1 && to < last && Date.now() < deadline;
		}
	} catch (failure) {
		if (news.length === 0) return await Promise.reject(failure);
	}
	return { position: reached, news };
}
