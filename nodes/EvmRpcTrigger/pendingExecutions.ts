import { deepCopy } from 'n8n-workflow';
import type { JsonObject } from '../core/values/json';
import { isRecord } from '../core/values/parse';

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
