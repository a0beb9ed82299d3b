import { sleep } from 'n8n-workflow';
import {
	type Connect,
	operationOf,
	Pacer,
	parameterReader,
	parameterSource,
	sends,
	Stopped,
} from '../../../nodes/core';
import type { CallRequest, Schema } from '../../library/session.mts';
import { openEndpoint, type Endpoint } from '../core/endpoint';
import { options, settingsOf } from './options';

interface WithSchema {
	readonly schema: Schema;
	readonly timeout: number;
}

type GrpcRequest =
	| ({ readonly ask: 'services' } & WithSchema)
	| ({ readonly ask: 'describe'; readonly service: string } & WithSchema)
	| ({ readonly ask: 'call' } & GrpcCall);

interface GrpcCall extends CallRequest {
	/** Whether errors show the trailers. */
	readonly trailers?: boolean;
}

const TIMEOUT_ADVICE = "The option 'Timeout' sets how long to wait.";

export const grpc = operationOf<GrpcRequest>();

/** Concurrent calls over one connection per run. */
export const grpcClient: Connect<GrpcRequest> = async (context, stop) => {
	const settings = settingsOf(parameterReader(parameterSource(context), [options])(0).options);
	const endpoint = await openEndpoint(context, {
		stop: context.getExecutionCancelSignal(),
		timeoutAdvice: TIMEOUT_ADVICE,
	});
	const pacer = new Pacer(settings, stop);
	const timezone = context.getTimezone();
	/** Waits for the turn of a call, and lets the failure of another item arrive before it is sent. */
	const takeTurn = async () => {
		const answered = await pacer.throttle.takeTurn(1);
		await sleep(0);
		stop.check();
		return answered;
	};
	return {
		width: settings.concurrency,
		redact: endpoint.redact,
		close: endpoint.close,
		isNonIdempotent: (request) => request.ask === 'call' && sends(request.method),
		call: async (asked, { nonIdempotent }) => {
			const request = asked.ask === 'call' ? { ...asked, timezone } : asked;
			// For what is known as non-idempotent, the run warns itself.
			const work = async () => await send(endpoint, request, takeTurn, !nonIdempotent);
			try {
				return await pacer.call(work, nonIdempotent);
			} catch (error) {
				throw stop.isCancelled ? new Stopped() : error;
			}
		},
	};
};

async function send(
	endpoint: Endpoint,
	request: GrpcRequest,
	takeTurn: () => Promise<() => void>,
	warn: boolean,
): Promise<unknown> {
	let answered: (() => void) | undefined;
	const ready = async () => {
		answered = await takeTurn();
	};
	try {
		return await answerTo(endpoint, request, ready, warn);
	} finally {
		answered?.();
	}
}

async function answerTo(
	endpoint: Endpoint,
	request: GrpcRequest,
	ready: () => Promise<void>,
	warn: boolean,
): Promise<unknown> {
	if (request.ask === 'call') {
		return await endpoint.call(request, ready, { showTrailers: request.trailers, warn });
	}
	await ready();
	return request.ask === 'services'
		? await endpoint.services(request.schema, request.timeout)
		: await endpoint.describe(request.schema, request.service, request.timeout);
}
