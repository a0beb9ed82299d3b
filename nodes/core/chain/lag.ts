import { NodeLagging } from '../errors/nodeLagging';
import { RequestFailure } from '../errors/requestFailure';
import type { Cursor } from './cursor';

export const NOTHING_LOST = 'Nothing is lost: the trigger continues where it stopped.';

/** The last block of a node, and how many blocks a node may lag without an error. */
interface NodeProgress {
	readonly last: number;
	readonly toleratedBlocks: number;
}

/** Throws the failure of a poll. A failure about recent blocks is ignored, because the next poll will find them. */
export function throwIfNodeIsLate(failure: unknown, { last, toleratedBlocks }: NodeProgress): void {
	if (failure === undefined) return;
	const isYoung = failure instanceof NodeLagging && failure.block > last - toleratedBlocks;
	if (!isYoung) throw failure;
}

/** Throws if the node has fallen far behind the cursor, because it would report nothing new for a long time. */
export function throwIfBehind(
	{ next }: Cursor,
	{ last, toleratedBlocks }: NodeProgress,
	end = 'Its last block is',
): void {
	const missing = next - 1 - last;
	if (missing <= toleratedBlocks) return;
	throw new RequestFailure(`The chain node lacks ${missing} blocks that it had before`, {
		description: `${end} ${last}. ${NOTHING_LOST}`,
	});
}
