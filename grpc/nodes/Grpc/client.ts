import { sleep } from 'n8n-workflow';
import {
	type Connect,
	createOperationTyper,
	Pacer,
	createParameterParser,
	createParameterSource,
	isSendMethod,
	Stopped,
} from '../../../nodes/core';
import type { CallRequest, Schema } from '../../library/session.mts';
import { openEndpoint, type GrpcEndpoint } from '../core/endpoint';
import { grpcOptions, withDefaults } from './options';

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

const TIMEOUT_OPTION_ADVICE = "The option 'Timeout' sets how long to wait.";

export const grpc = createOperationTyper<GrpcRequest>();

/** Creates the client of a run. All calls of the run share one connection. */
export const connectGrpc: Connect<GrpcRequest> = async (context, stop) => {
	const settings = withDefaults(
		createParameterParser(createParameterSource(context), [grpcOptions])(0).options,
	);
	const endpoint = await openEndpoint(context, {
		stop: context.getExecutionCancelSignal(),
		timeoutAdvice: TIMEOUT_OPTION_ADVICE,
	});
	const pacer = new Pacer(settings, stop);
	const timezone = context.getTimezone();
	/** Waits for the turn of a call. After the wait, an error of another item can still stop the call. */
	const takeTurn = async () => {
		const answered = await pacer.throttle.takeTurn(1);
		await sleep(0);
		stop.throwIfStopped();
		return answered;
	};
	return {
		parallelItems: settings.concurrency,
		redact: endpoint.redact,
		close: endpoint.close,
		isAtMostOnce: (request) => request.ask === 'call' && isSendMethod(request.method),
		call: async (asked, { atMostOnce }) => {
			const request = asked.ask === 'call' ? { ...asked, timezone } : asked;
			// With `atMostOnce`, the runner of the items warns that the call may have had an effect. So the call does not.
			const work = async () => await sendInTurn(endpoint, request, takeTurn, !atMostOnce);
			try {
				return await pacer.call(work, atMostOnce);
			} catch (error) {
				throw stop.isCancelled ? new Stopped() : error;
			}
		},
	};
};

async function sendInTurn(
	endpoint: GrpcEndpoint,
	request: GrpcRequest,
	takeTurn: () => Promise<() => void>,
	warnsIfExecuted: boolean,
): Promise<unknown> {
	let answered: (() => void) | undefined;
	const ready = async () => {
		answered = await takeTurn();
	};
	try {
		return await callEndpoint(endpoint, request, ready, warnsIfExecuted);
	} finally {
		answered?.();
	}
}

async function callEndpoint(
	endpoint: GrpcEndpoint,
	request: GrpcRequest,
	ready: () => Promise<void>,
	warnsIfExecuted: boolean,
): Promise<unknown> {
	if (request.ask === 'call') {
		return await endpoint.call(request, ready, { showTrailers: request.trailers, warnsIfExecuted });
	}
	await ready();
	return request.ask === 'services'
		? await endpoint.fetchServices(request.schema, request.timeout)
		: await endpoint.describe(request.schema, request.service, request.timeout);
}
