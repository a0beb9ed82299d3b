import type { IDataObject, IPollFunctions, ITriggerFunctions } from 'n8n-workflow';
import { copyForStorage, parseSavedCursor, type SavedCursor } from '../follow/cursor';

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

/** Warns that the saved cursor is of no use any more. */
export function warnOfAnotherChain(
	context: ITriggerFunctions | IPollFunctions,
	{ cursor }: SavedCursor,
): void {
	context.logger.warn(
		`'${context.getNode().name}' finds a different chain than before, or one that was reset: it continues from block ${cursor.next}`,
	);
}
