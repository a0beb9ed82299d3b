import type { IDataObject, ITriggerFunctions } from 'n8n-workflow';
import { forStorage, savedStateIn, type SavedState } from '../../core/evm/follow/savedState';

export interface Storage {
	load(): SavedState | undefined;
	/** n8n stores it with the next execution that is started, and when a workflow has been activated. */
	save(saved: SavedState): void;
	/** What was saved is of no use any more. */
	begunAnew(block: number): void;
}

/** A workflow that was switched on by hand begins at the head; after a restart of n8n it goes on. */
const GOES_ON = ['init', 'leadershipChange', 'update'];

export function storageOf(context: ITriggerFunctions, closing: AbortSignal): Storage {
	if (context.getMode() === 'manual') {
		return { load: () => undefined, save: () => {}, begunAnew: () => {} };
	}
	const data = context.getWorkflowStaticData('node');
	return {
		load: () =>
			GOES_ON.includes(context.getActivationMode()) ? savedStateIn(data.saved) : undefined,
		// What is not emitted any more must not count as emitted.
		save: (saved) => {
			if (!closing.aborted) data.saved = forStorage(saved) as unknown as IDataObject;
		},
		begunAnew: (block) =>
			context.logger.warn(
				`'${context.getNode().name}' finds a different chain than before, or has missed too much of it: it continues from block ${block}`,
			),
	};
}
