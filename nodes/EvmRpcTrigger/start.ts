import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { RequestFailure } from '../core/errors/requestFailure';
import { nodeCredential } from '../core/nodeCredentials';
import { parameterReader, parameterSource } from '../core/operation/parameters';
import { executionsOf } from '../core/trigger/executions';
import { listening, reporter } from '../core/trigger/listening';
import type { Connection } from './connection';
import { events } from './events';
import { event, options } from './fields';
import { ExecutionQueue } from './executionQueue';
import { storageOf } from './position';
import { socketOf, type Socket } from './socket';
import { USUAL, type Timing } from './timing';
import type { AnyTriggerEvent, Follower, TriggerDeps } from './triggerEvent';

/** Begins to listen; n8n ends it by the function in the answer. */
export async function start(
	context: ITriggerFunctions,
	timing: Timing = USUAL,
): Promise<ITriggerResponse> {
	return await listening<Connection>(context, async (closing) => {
		const socket = await socketOf(context, nodeCredential(context), webSocketUrl(context), timing);
		const report = reporter(context, closing);
		const around = aroundOf(context, closing, timing, (cause) => report(socket.clean(cause)));
		const follower = followerOf(context, around);
		return {
			timing,
			open: async () => await connected(socket, follower, closing.signal),
			follow: async (connection, well) => await followed(follower, connection, well),
			report: (cause) => report(socket.clean(cause), follower.meanwhile),
			isRefused,
		};
	});
}

function webSocketUrl(context: ITriggerFunctions): string {
	const chosen = parameterReader(parameterSource(context), [options])(0);
	return chosen.options.webSocketUrl ?? '';
}

function followerOf(context: ITriggerFunctions, around: TriggerDeps): Follower {
	const source = parameterSource(context);
	const chosen = parameterReader(source, [event])(0).event as keyof typeof events;
	const { fields, follower }: AnyTriggerEvent = events[chosen];
	return follower(parameterReader(source, fields)(0) as never, around);
}

function aroundOf(
	context: ITriggerFunctions,
	closing: AbortController,
	timing: Timing,
	report: TriggerDeps['report'],
): TriggerDeps {
	const storage = storageOf(context, closing.signal);
	const executions = new ExecutionQueue(executionsOf(context, closing), timing, closing.signal);
	return { executions, storage, timing, report };
}

async function connected(
	socket: Socket,
	follower: Follower,
	closing: AbortSignal,
): Promise<Connection> {
	const connection = await socket.open(closing);
	try {
		await follower.begin(connection);
		return connection;
	} catch (cause) {
		connection.close();
		return await Promise.reject(socket.clean(cause));
	}
}

async function followed(
	follower: Follower,
	connection: Connection,
	caughtUp: () => void,
): Promise<never> {
	try {
		await follower.follow(connection, caughtUp);
		throw connection.failure ?? new RequestFailure('The node closed the connection');
	} finally {
		connection.close();
	}
}

/** A credential that is refused now will be refused later. */
function isRefused({ httpCode }: RequestFailure): boolean {
	return httpCode === 401 || httpCode === 403;
}
