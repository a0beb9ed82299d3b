import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { forStorage, savedStateIn, type SavedState } from '../core/evm/follow/savedState';

/**
 * What n8n stores for the node from poll to poll. A poll may begin while the last one is still going: the first
 * to end replaces what it began from, and the other one gives up.
 */
export function storageOf(context: IPollFunctions) {
	const data = context.getWorkflowStaticData('node');
	const before = JSON.stringify(data);
	return {
		saved: savedStateIn(data.saved),
		/** False, and nothing is changed, if another poll has come first. */
		replace: (next: SavedState): boolean => {
			if (JSON.stringify(data) !== before) return false;
			data.saved = forStorage(next) as unknown as IDataObject;
			return true;
		},
	};
}
