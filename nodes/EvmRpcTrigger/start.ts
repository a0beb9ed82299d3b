import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { RequestFailure } from '../core/errors/requestFailure';
import { nodeCredential } from '../core/nodeCredentials';
import { parameterReader, parameterSource } from '../core/operation/parameters';
import { executionsOf } from '../core/trigger/executions';
import { listen, reporter, USUAL_TIMING } from '../core/trigger/listen';
import type { Connection } from './connection';
import { endpointOf, type Endpoint } from './endpoint';
import { events } from './events';
import { ExecutionQueue } from './executionQueue';
import { event, options } from './fields';
import { storageOf } from './position';
import type { AnyTriggerEvent, Follower, Timing, TriggerDeps } from './triggerEvent';

export const USUAL: Timing = {
	...USUAL_TIMING,
	opening: 10_000,
	checking: 5_000,
	idle: 20_000,
	requestTimeout: 15_000,
	pause: 1_000,
	longestPause: 60_000,
	renewal: 300_000,
	storing: 3_000,
	settling: 10_000,
	failing: 330_000,
};

/** Starts the trigger; n8n stops it by the `closeFunction` of the response. */
export async function start(
	context: ITriggerFunctions,
	timing: Timing = USUAL,
): Promise<ITriggerResponse> {
	return await listen<Connection>(context, async (closing) => {
		const { signal } = closing;
		const endpoint = await endpointOf(
			context,
			nodeCredential(context),
			webSocketUrl(context),
			timing,
		);
		const report = reporter(context, closing);
		const follower = followerOf(context, {
			executions: new ExecutionQueue(executionsOf(context, closing), timing, signal),
			storage: storageOf(context, signal),
			timing,
			report: (cause) => report(endpoint.redact(cause)),
		});
		return {
			timing,
			open: async () => await connect(endpoint, follower, signal),
			follow: async (connection, healthy) => await follow(follower, connection, healthy),
			report: (cause) => report(endpoint.redact(cause), follower.outageAdvice),
			isRefused,
		};
	});
}

function webSocketUrl(context: ITriggerFunctions): string {
	const chosen = parameterReader(parameterSource(context), [options])(0);
	return chosen.options.webSocketUrl ?? '';
}

function followerOf(context: ITriggerFunctions, deps: TriggerDeps): Follower {
	const source = parameterSource(context);
	const chosen = parameterReader(source, [event])(0).event as keyof typeof events;
	const { fields, follower }: AnyTriggerEvent = events[chosen];
	return follower(parameterReader(source, fields)(0) as never, deps);
}

async function connect(
	endpoint: Endpoint,
	follower: Follower,
	closing: AbortSignal,
): Promise<Connection> {
	const connection = await endpoint.open(closing);
	try {
		await follower.begin(connection);
		return connection;
	} catch (cause) {
		connection.close();
		return await Promise.reject(endpoint.redact(cause));
	}
}

async function follow(
	follower: Follower,
	connection: Connection,
	healthy: () => void,
): Promise<never> {
	try {
		await follower.follow(connection, healthy);
		throw connection.failure ?? new RequestFailure('The node closed the connection');
	} finally {
		connection.close();
	}
}

function isRefused({ httpCode }: RequestFailure): boolean {
	return httpCode === 401 || httpCode === 403;
}
