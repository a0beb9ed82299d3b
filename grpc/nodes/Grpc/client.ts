import { sleep } from 'n8n-workflow';
import { RequestFailure, withAdvice, withDoubt } from '../../../nodes/core/errors/requestFailure';
import { Stopped } from '../../../nodes/core/errors/stopped';
import { operationOf } from '../../../nodes/core/operation/operation';
import { parameterReader, parameterSource } from '../../../nodes/core/operation/parameters';
import { Pacer } from '../../../nodes/core/pacing/pacer';
import { saysWhen } from '../../../nodes/core/pacing/retry';
import type { Connect } from '../../../nodes/core/protocols/client';
import { sends } from '../../../nodes/core/protocols/rpcMethods';
import type { CallRequest, Schema } from '../../library/session.mts';
import { openEndpoint, type Endpoint } from '../core/endpoint';
import { trailersOf } from '../core/status';
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
		send: async (request) => {
			try {
				return await pacer.call(async () => await answer(endpoint, request, ready), false);
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
		case 'call':
			return await endpoint.call(request, ready).catch((failure: unknown) => {
				throw failure instanceof RequestFailure ? ofCall(failure, request) : failure;
			});
	}
}

/** Nobody knows what a method does. What sends a transaction comes back only when the limit itself says when. */
function ofCall(failure: RequestFailure, { method, trailers }: GrpcCall): RequestFailure {
	const shown = withDoubt(trailers ? withAdvice(failure, trailersOf(failure)) : failure);
	const mayComeBack = saysWhen(shown.retry) || !sends(method);
	return mayComeBack ? shown : new RequestFailure(shown.message, { ...shown, retry: undefined });
}
