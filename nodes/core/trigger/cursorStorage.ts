import type { IDataObject, IPollFunctions, ITriggerFunctions } from 'n8n-workflow';
import { copyForStorage, parseSavedCursor, type SavedCursor } from '../chain/cursor';
import type { PollStorage } from './poll';

/** The cursor of a trigger in n8n's static data, which n8n stores with an execution. */
export function createCursorStorage(context: ITriggerFunctions | IPollFunctions) {
	const data = context.getWorkflowStaticData('node');
	return {
		/** All that n8n stores for the node. */
		data,
		load: () => parseSavedCursor(data.saved),
		save: (cursor: SavedCursor): void => {
			data.saved = copyForStorage(cursor) as unknown as IDataObject;
		},
	};
}

interface Present<Saved> {
	/** A fingerprint of what the user chose. */
	readonly watched: string;
	/** Whether the saved position is of the chain that the node serves now. */
	isSameChain(saved: Saved): boolean;
	/** Where reading starts over; null where the node does not have that block yet. */
	begin(): Saved | null;
}

/** Returns what was saved, if it is of the same chain and the same choice. Otherwise reading starts over at the head. */
export function resumeOrBegin<Saved extends SavedCursor>(
	context: IPollFunctions,
	{ saved, replace }: PollStorage<Saved>,
	{ watched, isSameChain, begin }: Present<Saved>,
): Saved | undefined {
	const isSame = saved !== undefined && isSameChain(saved);
	if (isSame && saved.watched === watched) return saved;
	const begun = begin();
	if (begun && replace(begun) && saved && !isSame) {
		warnOfAnotherChain(context, `block ${begun.cursor.next}`);
	}
	return undefined;
}

/** Warns that what was saved is of no use any more. The place says where the trigger goes on. */
export function warnOfAnotherChain(
	context: ITriggerFunctions | IPollFunctions,
	place: string,
): void {
	context.logger.warn(
		`'${context.getNode().name}' finds a different chain than before, or one that was reset: it continues from ${place}`,
	);
}
