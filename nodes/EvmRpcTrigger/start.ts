import { rethrow } from '../core/values/parse';
import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { RequestFailure } from '../core/errors/requestFailure';
import { getNodeCredentialType } from '../core/nodeCredentials';
import { createParameterSource } from '../core/operation/parameters';
import { createExecutionStarter } from '../core/trigger/executions';
import { warnOfAnotherChain, createHintLog } from '../core/trigger/hints';
import { startTrigger, createReporter, DEFAULT_TIMING } from '../core/trigger/reconnect';
import { parseChosenEvent } from '../core/trigger/triggerEvent';
import type { Connection } from './connection';
import { createSocketEndpoint, type SocketEndpoint } from './endpoint';
import { event, EVENTS } from './events';
import { createExecutionStorage, ExecutionQueue } from './executionQueue';
import type { Listener, SocketStep, SocketTriggerTiming, TriggerDeps } from './listener';
import { parseOptions } from './options';

export const DEFAULT_SOCKET_TIMING: SocketTriggerTiming = {
	...DEFAULT_TIMING,
	openingMs: 10_000,
	checkIntervalMs: 5_000,
	idleMs: 20_000,
	requestTimeoutMs: 15_000,
	pauseMs: 1_000,
	maxPauseMs: 60_000,
	renewalMs: 300_000,
	storingMs: 3_000,
	settlingMs: 10_000,
	failingMs: 330_000,
};

/** Starts the trigger. n8n stops it by calling the `closeFunction` of the returned object. */
export async function startSocketTrigger(
	context: ITriggerFunctions,
	timing: SocketTriggerTiming = DEFAULT_SOCKET_TIMING,
): Promise<ITriggerResponse> {
	return await startTrigger<Connection>(context, async (closing) => {
		const { signal } = closing;
		const endpoint = await createSocketEndpoint(
			context,
			getNodeCredentialType(context),
			parseOptions(createParameterSource(context)).webSocketUrl ?? '',
			timing,
		);
		const report = createReporter(context, closing);
		const executions = new ExecutionQueue(
			createExecutionStarter(context, closing),
			createExecutionStorage(context, signal),
			timing,
			signal,
		);
		const listener = createListener(context, {
			executions,
			timing,
			report: (cause) => report(endpoint.redact(cause)),
			addHint: createHintLog(context),
			warnOfAnotherChain: ({ cursor }) => warnOfAnotherChain(context, `block ${cursor.next}`),
		});
		return {
			timing,
			open: async () => await connect(endpoint, listener, signal),
			listen: (connection) => listen(listener, connection, executions),
			report: (cause) => report(endpoint.redact(cause), listener.outageAdvice),
			isRefused,
		};
	});
}

function createListener(context: ITriggerFunctions, deps: TriggerDeps): Listener {
	const source = createParameterSource(context);
	return parseChosenEvent(source, event, EVENTS).createListener(source, deps);
}

async function connect(
	endpoint: SocketEndpoint,
	listener: Listener,
	closing: AbortSignal,
): Promise<Connection> {
	const connection = await endpoint.open(closing);
	try {
		await listener.subscribe(connection);
		return connection;
	} catch (cause) {
		connection.close();
		return rethrow(endpoint.redact(cause));
	}
}

async function* listen(
	listener: Listener,
	connection: Connection,
	executions: ExecutionQueue,
): AsyncGenerator<SocketStep> {
	const { closed } = connection;
	try {
		await executions.restartPending(closed);
		for await (const step of listener.listen(connection)) {
			if (step.kind === 'found') {
				executions.add(step);
				await executions.waitForRoom(closed);
			}
			yield step;
		}
		throw connection.failure ?? new RequestFailure('The chain node closed the connection');
	} finally {
		connection.close();
	}
}

function isRefused({ httpCode }: RequestFailure): boolean {
	return httpCode === 401 || httpCode === 403;
}
