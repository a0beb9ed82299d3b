import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import type { RequestFailure } from '../core/errors/requestFailure';
import { Stopped } from '../core/errors/stopped';
import { parameterReader, parameterSource } from '../core/operation/parameters';
import { nodeCredential } from '../core/protocols/nodeClient';
import { executionsOf } from '../core/trigger/executions';
import { explained, laterIfAllowed, reporter } from '../core/trigger/reports';
import type { Connection } from './connection/connection';
import { listen } from './connection/listen';
import { socketOf, type Socket } from './connection/socket';
import { events } from './events/menu';
import type { AnyTriggerEvent, Around, Follower } from './events/triggerEvent';
import { event, options } from './fields';
import { Outbox } from './follow/outbox';
import { storageOf } from './follow/storage';
import { USUAL, type Timing } from './timing';

/** Begins to listen; n8n ends it by the function in the answer. */
export async function start(
	context: ITriggerFunctions,
	timing: Timing = USUAL,
): Promise<ITriggerResponse> {
	try {
		return await startListening(context, timing);
	} catch (cause) {
		throw explained(context, cause);
	}
}

async function startListening(
	context: ITriggerFunctions,
	timing: Timing,
): Promise<ITriggerResponse> {
	const closing = new AbortController();
	const socket = await socketOf(context, nodeCredential(context), webSocketUrl(context), timing);
	const report = reporter(context, closing);
	const around = aroundOf(context, closing, timing, (cause) => report(socket.clean(cause)));
	const follower = followerOf(context, around);
	const connect = async () => await connected(socket, follower, closing.signal);
	const line = {
		connect,
		follow: follower.follow.bind(follower),
		report: (cause: unknown) => report(socket.clean(cause), follower.meanwhile),
	};
	let listening: Promise<void> | undefined;
	const begin = async () => {
		const first = await connect().catch(async (cause) => {
			return await laterIfAllowed(
				context,
				closing.signal.aborted ? new Stopped() : cause,
				isRefused,
			);
		});
		listening = listen(line, first, closing.signal, timing);
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

function webSocketUrl(context: ITriggerFunctions): string {
	const chosen = parameterReader(parameterSource(context), [options])(0);
	return chosen.options.webSocketUrl ?? '';
}

function followerOf(context: ITriggerFunctions, around: Around): Follower {
	const source = parameterSource(context);
	const chosen = parameterReader(source, [event])(0).event as keyof typeof events;
	const { fields, follower }: AnyTriggerEvent = events[chosen];
	return follower(parameterReader(source, fields)(0) as never, around);
}

function aroundOf(
	context: ITriggerFunctions,
	closing: AbortController,
	timing: Timing,
	report: Around['report'],
): Around {
	const storage = storageOf(context, closing.signal);
	const executions = executionsOf(context, closing);
	const outbox = new Outbox(executions, storage.save, timing, closing.signal);
	return { outbox, storage, timing, report };
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

/** A credential that is refused now will be refused later. */
function isRefused({ httpCode }: RequestFailure): boolean {
	return httpCode === 401 || httpCode === 403;
}
