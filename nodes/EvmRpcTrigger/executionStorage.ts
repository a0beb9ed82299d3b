import { deepCopy, type IDataObject, type ITriggerFunctions } from 'n8n-workflow';
import { copyForStorage, parseSavedCursor, type SavedCursor } from '../core/chain/cursor';
import { isKeySupported } from '../core/trigger/executions';
import { STARTING_MODES } from '../core/trigger/reconnect';
import {
	NO_PENDING_EXECUTIONS,
	parsePendingExecutions,
	type PendingExecutions,
} from './pendingExecutions';

/** What n8n keeps for the trigger. */
export interface Saved {
	/** The position up to which executions were started. */
	readonly cursor?: SavedCursor;
	/** The started executions that n8n may not have stored. */
	readonly pending: PendingExecutions;
}

export interface ExecutionStorage {
	load(): Saved;
	/** n8n stores it with the next execution that is started, and when a workflow has been activated. */
	save(saved: Saved & { readonly cursor: SavedCursor }): void;
}

/** When a user activates a workflow, reading starts at the head. After a restart of n8n, it resumes. */
const RESUMING_MODES = [...STARTING_MODES, 'update'];

/** Keeps the state in n8n's static data; a manual execution keeps nothing. */
export function createExecutionStorage(
	context: ITriggerFunctions,
	closing: AbortSignal,
): ExecutionStorage {
	if (context.getMode() === 'manual') {
		return { load: () => ({ pending: NO_PENDING_EXECUTIONS }), save: () => {} };
	}
	const data = context.getWorkflowStaticData('node');
	const mode = context.getActivationMode();
	return {
		load: () => ({
			cursor: RESUMING_MODES.includes(mode) ? parseSavedCursor(data.saved) : undefined,
			// The process that was to store them is no more.
			pending: STARTING_MODES.includes(mode)
				? parsePendingExecutions(data.starts)
				: NO_PENDING_EXECUTIONS,
		}),
		// Events found while closing are not emitted, so they must not count as emitted.
		save: ({ cursor, pending }) => {
			if (closing.aborted) return;
			data.saved = copyForStorage(cursor) as unknown as IDataObject;
			// Without keys they would come twice.
			if (isKeySupported(context)) data.starts = deepCopy(pending) as unknown as IDataObject;
		},
	};
}
