import { rethrow } from '../values/parse';
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
 * not report. The key deduplicates: n8n stores one execution per key, for as long as it keeps that one.
 */
export type StartExecution = (items: readonly Item[], key: string) => Promise<ExecutionEnd>;

/** The outcome of a start. `duplicate`: n8n already has an execution under this key, and started none. */
export type ExecutionEnd = 'succeeded' | 'ended' | 'duplicate' | 'unknown';

type Item = Readonly<Record<string, unknown>>;

export function createExecutionStarter(
	context: ITriggerFunctions,
	closing: AbortController,
): StartExecution {
	if (context.getMode() === 'manual') return createManualStarter(context, closing);
	let reports = isKeySupported(context);
	return async (items, key) => {
		const executionKey = buildKey(context, key);
		if (reports) {
			const done = context.helpers.createDeferredPromise<IRun>();
			context.emit(copyItems(items), undefined, done, executionKey);
			try {
				return getExecutionEnd(await done.promise);
			} catch (cause) {
				if (isStored(cause)) return 'ended';
				if (!isPromiseRefused(cause)) return rethrow(cause);
				reports = false;
			}
		}
		context.emit(copyItems(items), undefined, undefined, executionKey);
		return 'unknown';
	};
}

/** Versions of n8n whose `emit` takes the key also reject when an execution could not be stored. */
export function isKeySupported({ emit }: ITriggerFunctions): boolean {
	return emit.length > 3;
}

/** A manual execution takes one item, and closes the trigger. */
function createManualStarter(context: ITriggerFunctions, closing: AbortController): StartExecution {
	return async (items) => {
		if (!closing.signal.aborted) {
			context.emit(copyItems(items.slice(0, 1)));
			closing.abort();
		}
		return await Promise.resolve('unknown');
	};
}

function getExecutionEnd(run: IRun | undefined): ExecutionEnd {
	if (run === undefined) return 'duplicate';
	return run.status === 'success' ? 'succeeded' : 'ended';
}

/** An execution that was cancelled, or finished before n8n looked, has been stored. */
function isStored(cause: unknown): boolean {
	return (
		cause instanceof ExecutionCancelledError ||
		(cause instanceof Error && cause.constructor.name === 'ExecutionNotFoundError')
	);
}

/** n8n's engine 2.0 starts no execution for a trigger that passes a promise. Hooks also throw user errors. */
function isPromiseRefused(cause: unknown): boolean {
	return cause instanceof UserError && /cannot run a trigger that waits/i.test(cause.message);
}

/** Keys are unique across all workflows of n8n. */
function buildKey(context: ITriggerFunctions, key: string): string {
	const parts = [context.getWorkflow().id, context.getNode().id, key];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Nodes after the trigger may mutate its items, which may lie in its static data as well. */
export function copyItems(items: readonly Item[]): INodeExecutionData[][] {
	return [items.map((json) => ({ json: deepCopy(json as IDataObject) }))];
}
