import { deepCopy, type IDataObject, type ITriggerFunctions } from 'n8n-workflow';
import { copyForStorage, parseSavedCursor, type SavedCursor } from '../core/chain/cursor';
import { isKeySupported } from '../core/trigger/executions';
import { STARTING_MODES } from '../core/trigger/reconnect';
import type { JsonObject } from '../core/values/json';
import { isRecord } from '../core/values/parse';

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

/** An execution that n8n may not have stored. Plain JSON, because n8n's static data holds it. */
export interface PendingExecution {
	readonly key: string;
	/** The time when it was started first. */
	readonly at: number;
	readonly items: readonly JsonObject[];
}

/** What is saved with the cursor. n8n stores this before an execution, and may be killed in between. */
export interface PendingExecutions {
	readonly underWay: readonly PendingExecution[];
	/** The key of an execution that has succeeded. It shows whether n8n keeps such executions. */
	readonly succeeded?: string;
}

export const NO_PENDING_EXECUTIONS: PendingExecutions = { underWay: [] };

/** n8n deletes old executions together with their keys, but none within an hour. */
const KEY_LIFETIME_MS = 3_600_000;

/** Selects the executions that n8n still has, if it has stored them. */
export function filterRestartable(
	underWay: readonly PendingExecution[],
): readonly PendingExecution[] {
	return underWay.filter(({ at }) => Date.now() - at < KEY_LIFETIME_MS);
}

/** A validated copy, because imported workflows may contain anything. */
export function parsePendingExecutions(stored: unknown): PendingExecutions {
	if (!isRecord(stored) || !Array.isArray(stored.underWay)) return NO_PENDING_EXECUTIONS;
	const { succeeded } = stored;
	return {
		underWay: deepCopy(stored.underWay.filter(isPendingExecution)),
		...(typeof succeeded === 'string' && { succeeded }),
	};
}

function isPendingExecution(one: unknown): one is PendingExecution {
	if (!isRecord(one) || typeof one.key !== 'string' || typeof one.at !== 'number') return false;
	return Array.isArray(one.items) && one.items.every(isRecord);
}
