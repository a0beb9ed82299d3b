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
 * Starts an execution with these items. It fails if n8n could not store the execution, and ends when the execution
 * has, or at once where n8n does not tell. Under one key n8n stores one execution only.
 */
export type Start = (items: readonly Item[], key: string) => Promise<void>;

type Item = Readonly<Record<string, unknown>>;

export function executionsOf(context: ITriggerFunctions, closing: AbortController): Start {
	if (context.getMode() === 'manual') return manualExecution(context, closing);
	let tells = tellsOfStorage(context);
	return async (items, key) => {
		const executionKey = keyFor(context, key);
		if (tells) {
			const done = context.helpers.createDeferredPromise<IRun>();
			context.emit(copied(items), undefined, done, executionKey);
			try {
				return void (await done.promise);
			} catch (cause) {
				if (isStored(cause)) return;
				if (!(cause instanceof UserError)) return await Promise.reject(cause);
				// This n8n starts no execution for a trigger that wants to be told.
				tells = false;
			}
		}
		context.emit(copied(items), undefined, undefined, executionKey);
	};
}

/** A manual execution takes a single event, and then it is over. */
function manualExecution(context: ITriggerFunctions, closing: AbortController): Start {
	return async (items) => {
		if (closing.signal.aborted) return await Promise.resolve();
		context.emit(copied(items.slice(0, 1)));
		closing.abort();
	};
}

/** Versions of n8n whose function takes the key also say when an execution could not be stored. */
function tellsOfStorage({ emit }: ITriggerFunctions): boolean {
	return emit.length > 3;
}

/** An execution that was cancelled, or was over before n8n looked, has been stored. */
function isStored(cause: unknown): boolean {
	return (
		cause instanceof ExecutionCancelledError ||
		(cause instanceof Error && cause.constructor.name === 'ExecutionNotFoundError')
	);
}

/** Keys count for all workflows of n8n. */
function keyFor(context: ITriggerFunctions, key: string): string {
	const parts = [context.getWorkflow().id, context.getNode().id, key];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What is emitted may be stored as well, and what comes after a trigger may change its items. */
export function copied(items: readonly Item[]): INodeExecutionData[][] {
	return [items.map((json) => ({ json: deepCopy(json as IDataObject) }))];
}
