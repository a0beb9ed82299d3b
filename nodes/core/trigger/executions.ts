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
 * Starts an execution. Rejects if n8n could not store the execution. Resolves when the execution has finished, or at
 * once if n8n does not report the end. n8n starts only one execution with the same key, as long as it keeps that
 * execution.
 */
export type StartExecution = (items: readonly Item[], key: string) => Promise<ExecutionEnd>;

/** The outcome of a start. `duplicate`: n8n already has an execution with this key, so it started none. */
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

/**
 * Whether n8n supports keys of executions. Versions that support keys also reject the promise if an execution could
 * not be stored.
 */
export function isKeySupported({ emit }: ITriggerFunctions): boolean {
	return emit.length > 3;
}

/** Makes the function for a manual execution, which uses only the first item and then closes the trigger. */
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

/** Whether n8n stored the execution. Executions that were cancelled, or that ended very quickly, were stored. */
function isStored(cause: unknown): boolean {
	return (
		cause instanceof ExecutionCancelledError ||
		(cause instanceof Error && cause.constructor.name === 'ExecutionNotFoundError')
	);
}

/**
 * Whether n8n refused a start because the trigger waits for its end. n8n's engine 2.0 does so. The message is
 * checked, because hooks throw errors of the same class.
 */
function isPromiseRefused(cause: unknown): boolean {
	return cause instanceof UserError && /cannot run a trigger that waits/i.test(cause.message);
}

/** Builds a key that is unique among all workflows of n8n. */
function buildKey(context: ITriggerFunctions, key: string): string {
	const parts = [context.getWorkflow().id, context.getNode().id, key];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Copies items, because nodes after the trigger may change them, and the trigger may still keep them in its static
 * data.
 */
export function copyItems(items: readonly Item[]): INodeExecutionData[][] {
	return [items.map((json) => ({ json: deepCopy(json as IDataObject) }))];
}
