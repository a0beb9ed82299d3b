import type { IPollFunctions } from 'n8n-workflow';
import { forStorage, savedStateIn, type SavedState } from '../core/evm/follow/savedState';

/**
 * What n8n keeps for the node from poll to poll. A poll may begin while the last one is still going: the first
 * to end replaces what it began from, and the other one gives up.
 */
export function memoryOf(context: IPollFunctions) {
	const data = context.getWorkflowStaticData('node');
	const before = JSON.stringify(data);
	return {
		saved: savedStateIn(data),
		/** False, and nothing is changed, if another poll has come first. */
		replace: (next: SavedState): boolean => {
			if (JSON.stringify(data) !== before) return false;
			Object.assign(data, forStorage(next));
			return true;
		},
	};
}
