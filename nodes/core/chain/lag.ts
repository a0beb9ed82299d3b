import { NodeLagging } from '../errors/nodeLagging';
import { RequestFailure } from '../errors/requestFailure';
import type { Cursor } from './cursor';

export const NOTHING_LOST = 'Nothing is lost: the trigger goes on from the same block.';

/** The position of a node, and how many blocks it may lack without a report. */
interface NodeProgress {
	readonly last: number;
	readonly toleratedBlocks: number;
}

/** The next poll will find what the node does not have yet. If the node is too late, this is reported. */
export function throwIfNodeIsLate(failure: unknown, { last, toleratedBlocks }: NodeProgress): void {
	if (failure === undefined) return;
	const isYoung = failure instanceof NodeLagging && failure.block > last - toleratedBlocks;
	if (!isYoung) throw failure;
}

/** A node that has fallen far behind the last position reports nothing new for a long time. */
export function throwIfBehind(
	{ next }: Cursor,
	{ last, toleratedBlocks }: NodeProgress,
	end = 'Its last block is',
): void {
	const missing = next - 1 - last;
	if (missing <= toleratedBlocks) return;
	throw new RequestFailure(`The node is ${missing} blocks behind an earlier answer`, {
		description: `${end} ${last}. ${NOTHING_LOST}`,
	});
}
