import {
	deepCopy,
	type ExecutionError,
	type IDataObject,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';
import type { ChainObject } from '../core/evm/chainObject';
import { RequestFailure, withAdvice } from '../core/errors/requestFailure';
import { nodeError } from '../core/errors/nodeError';
import { Stopped } from '../core/errors/stopped';
import { nodeCredential } from '../core/protocols/nodeClient';
import { parameterReader, parameterSource } from '../core/operation/parameters';
import type { Connection } from './connection';
import { fields } from './fields';
import { listen } from './listen';
import { memoryOf } from './memory';
import { socketOf, type Socket } from './socket';
import { watchFor, type Watch } from './watchFor';

/** Begins to listen; n8n ends it by the function in the answer. */
export async function start(context: ITriggerFunctions): Promise<ITriggerResponse> {
	const closing = new AbortController();
	const parameters = parameterReader(parameterSource(context), fields)(0);
	const url = parameters.options.webSocketUrl ?? '';
	const socket = await socketOf(context, nodeCredential(context), url);
	const watch = watchFor(parameters, memoryOf(context, closing.signal), emitter(context, closing));
	const connect = async () => await connected(socket, watch, closing.signal);
	const reportOutage = reporter(context, closing, watch.meanwhile);
	const report = (cause: unknown) => reportOutage(socket.clean(cause));
	let listening: Promise<void> | undefined;
	const begin = async () => {
		const first = await connect().catch(async (cause) => {
			return await laterIfAllowed(context, closing.signal.aborted ? new Stopped() : cause);
		});
		listening = listen({ connect, follow: watch.follow, report }, first, closing.signal);
	};
	// In a manual execution n8n is ready, for the event and for Stop, only after this function has returned.
	if (context.getMode() !== 'manual') await begin();
	return {
		manualTriggerFunction: begin,
		closeFunction: async () => {
			closing.abort();
			// Otherwise a manual execution that is stopped would wait for its event for ever.
			if (listening && context.getMode() === 'manual') context.emitError(new Stopped());
			await listening;
		},
	};
}

/** Starts an execution with these items. A manual one takes a single event, and then it is over. */
function emitter(context: ITriggerFunctions, closing: AbortController) {
	const isManual = context.getMode() === 'manual';
	return (items: readonly ChainObject[]): void => {
		if (closing.signal.aborted) return;
		const emitted = isManual ? items.slice(0, 1) : items;
		// What was told is kept as well, and what comes after a trigger may change its items.
		context.emit([
			context.helpers.returnJsonArray(emitted.map((json) => deepCopy(json as IDataObject))),
		]);
		if (isManual) closing.abort();
	};
}

/** Tells of an outage. A manual execution fails with it, and then it is over. */
function reporter(context: ITriggerFunctions, closing: AbortController, meanwhile: string) {
	const isManual = context.getMode() === 'manual';
	const { logger } = context;
	return (cause: unknown): void => {
		const isAdvised = cause instanceof RequestFailure && !isManual;
		const emitted = isAdvised ? withAdvice(cause, `The trigger keeps trying. ${meanwhile}`) : cause;
		const error = nodeError(context.getNode(), emitted);
		// Older versions of n8n cannot do it.
		if ('saveFailedExecution' in context) context.saveFailedExecution(error as ExecutionError);
		else logger.error(error.message);
		if (isManual) closing.abort();
	};
}

async function connected(socket: Socket, watch: Watch, closing: AbortSignal): Promise<Connection> {
	const connection = await socket.open(closing);
	try {
		await watch.begin(connection);
		return connection;
	} catch (cause) {
		connection.close();
		return await Promise.reject(socket.clean(cause));
	}
}

/** When n8n itself starts, a node that is down for the moment must not keep the workflow off. */
async function laterIfAllowed(context: ITriggerFunctions, cause: unknown): Promise<undefined> {
	const code = cause instanceof RequestFailure ? cause.httpCode : undefined;
	const mayWait = ['init', 'leadershipChange'].includes(context.getActivationMode());
	const isOutage = cause instanceof RequestFailure && code !== 401 && code !== 403;
	if (mayWait && isOutage) return undefined;
	return await Promise.reject(nodeError(context.getNode(), cause));
}
