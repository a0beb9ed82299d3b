import { createHash } from 'crypto';
import {
	deepCopy,
	ExecutionCancelledError,
	UserError,
	type IDataObject,
	type INodeExecutionData,
	type IRun,
	type ITriggerFunctions,
} from 'n8n-workflow';

/**
 * Starts an execution. Rejects if n8n could not store it; resolves when it has finished, or at once in an n8n that does
 * not report. The key deduplicates: n8n stores one execution per key.
 */
export type Start = (items: readonly Item[], key: string) => Promise<void>;

type Item = Readonly<Record<string, unknown>>;

export function executionsOf(context: ITriggerFunctions, closing: AbortController): Start {
	if (context.getMode() === 'manual') return manualExecution(context, closing);
	let reports = reportsStorage(context);
	return async (items, key) => {
		const executionKey = keyFor(context, key);
		if (reports) {
			const done = context.helpers.createDeferredPromise<IRun>();
			context.emit(copied(items), undefined, done, executionKey);
			try {
				return void (await done.promise);
			} catch (cause) {
				if (isStored(cause)) return;
				if (!(cause instanceof UserError)) return await Promise.reject(cause);
				// This n8n starts no execution for a trigger that passes a promise.
				reports = false;
			}
		}
		context.emit(copied(items), undefined, undefined, executionKey);
	};
}

/** A manual execution takes one item, and closes the trigger. */
function manualExecution(context: ITriggerFunctions, closing: AbortController): Start {
	return async (items) => {
		if (closing.signal.aborted) return await Promise.resolve();
		context.emit(copied(items.slice(0, 1)));
		closing.abort();
	};
}

/** Versions of n8n whose `emit` takes the key also reject when an execution could not be stored. */
function reportsStorage({ emit }: ITriggerFunctions): boolean {
	return emit.length > 3;
}

/** Cancelled, or finished before n8n looked: it has been stored. */
function isStored(cause: unknown): boolean {
	return (
		cause instanceof ExecutionCancelledError ||
		(cause instanceof Error && cause.constructor.name === 'ExecutionNotFoundError')
	);
}

/** Keys are unique across all workflows of n8n. */
function keyFor(context: ITriggerFunctions, key: string): string {
	const parts = [context.getWorkflow().id, context.getNode().id, key];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Nodes after the trigger may mutate its items, which may lie in its static data as well. */
export function copied(items: readonly Item[]): INodeExecutionData[][] {
	return [items.map((json) => ({ json: deepCopy(json as IDataObject) }))];
}
