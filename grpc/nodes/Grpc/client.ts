import { sleep } from 'n8n-workflow';
import {
	type Connect,
	operationOf,
	Pacer,
	parameterReader,
	parameterSource,
	RequestFailure,
	sends,
	Stopped,
	warnedIfExecuted,
	withAdvice,
} from '../../../nodes/core';
import type { CallRequest, Schema } from '../../library/session.mts';
import { openEndpoint, type Endpoint } from '../core/endpoint';
import { isTooLate, trailersOf } from '../core/status';
import { options, settingsOf } from './options';

interface About {
	readonly schema: Schema;
	readonly timeout: number;
}

/** What is asked of an endpoint. */
export type GrpcRequest =
	| ({ readonly ask: 'services' } & About)
	| ({ readonly ask: 'describe'; readonly service: string } & About)
	| ({ readonly ask: 'call' } & GrpcCall);

interface GrpcCall extends CallRequest {
	/** Whether a failure is told with the trailers that came with it. */
	readonly trailers?: boolean;
}

const TIMEOUT_ADVICE = "The option 'Timeout' sets how long to wait.";

export const grpc = operationOf<GrpcRequest>();

/** Calls side by side over one connection, which ends with the run; those that a limit turned away come back later. */
export const grpcClient: Connect<GrpcRequest> = async (context, stop) => {
	const settings = settingsOf(parameterReader(parameterSource(context), [options])(0).options);
	const endpoint = await openEndpoint(context, { stop: context.getExecutionCancelSignal() });
	const pacer = new Pacer(settings, stop);
	/** A failure of another item needs a moment to arrive. */
	const ready = async () => {
		await sleep(0);
		stop.check();
	};
	return {
		width: settings.concurrency,
		redact: endpoint.redact,
		close: endpoint.close,
		isNonIdempotent: (request) => request.ask === 'call' && sends(request.method),
		call: async (request, { nonIdempotent }) => {
			const send = async () => await answer(endpoint, request, ready);
			try {
				return await pacer.call(
					async () => await send().catch(explained(request, nonIdempotent)),
					nonIdempotent,
				);
			} catch (error) {
				throw stop.isCancelled ? new Stopped() : error;
			}
		},
	};
};

async function answer(
	endpoint: Endpoint,
	request: GrpcRequest,
	ready: () => Promise<void>,
): Promise<unknown> {
	switch (request.ask) {
		case 'services':
			return await endpoint.services(request.schema, request.timeout);
		case 'describe':
			return await endpoint.describe(request.schema, request.service, request.timeout);
		case 'call': {
			const { messages, broken } = await endpoint.call(request, ready);
			return { messages, broken: broken && advisedOnTime(broken) };
		}
	}
}

function advisedOnTime(failure: RequestFailure): RequestFailure {
	return isTooLate(failure) ? withAdvice(failure, TIMEOUT_ADVICE) : failure;
}

/** Throws the failure of a request with what the options of this node can do about it, or show of it. */
function explained(request: GrpcRequest, nonIdempotent: boolean): (failure: unknown) => never {
	return (failure) => {
		if (!(failure instanceof RequestFailure)) throw failure;
		const advised = advisedOnTime(failure);
		if (request.ask !== 'call') throw advised;
		const shown = request.trailers ? withAdvice(advised, trailersOf(advised)) : advised;
		// Nobody knows what a method does; the run itself says so of what is not idempotent.
		throw nonIdempotent ? shown : warnedIfExecuted(shown);
	};
}
