import type { ExecutionError, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import type { ChainObject } from '../core/chain/evm';
import { nodeError, RequestFailure, withAdvice } from '../core/failure';
import { nodeCredential } from '../core/nodeAccess';
import { parameterReader, parameterSource } from '../core/parameters';
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
	const watch = watchFor(parameters, memoryOf(context), teller(context, closing));
	const connect = async () => await connected(socket, watch, closing.signal);
	const first = await connect().catch(async (cause) => await laterIfAllowed(context, cause));
	let listening: Promise<void> | undefined;
	const begin = async () => {
		const line = { connect, follow: watch.follow, report: reporter(context) };
		listening = listen(line, first, closing.signal);
	};
	// In a manual execution n8n is ready for the event only after this function has returned.
	if (context.getMode() !== 'manual') await begin();
	return {
		manualTriggerFunction: begin,
		closeFunction: async () => {
			closing.abort();
			await listening;
		},
	};
}

/** Starts an execution with these items. A manual one takes a single event, and then it is over. */
function teller(context: ITriggerFunctions, closing: AbortController) {
	const isManual = context.getMode() === 'manual';
	return (items: readonly ChainObject[]): void => {
		if (closing.signal.aborted) return;
		const told = isManual ? items.slice(0, 1) : items;
		context.emit([context.helpers.returnJsonArray(told.map((json) => ({ ...json }) as never))]);
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
	return mayWait && isOutage ? undefined : await Promise.reject(cause);
}

const KEEPS_TRYING =
	'The trigger keeps trying. What happens meanwhile is read as soon as the node is back.';

function reporter(context: ITriggerFunctions) {
	return (cause: unknown): void => {
		const told = cause instanceof RequestFailure ? withAdvice(cause, KEEPS_TRYING) : cause;
		context.saveFailedExecution(nodeError(context.getNode(), told) as ExecutionError);
	};
}
