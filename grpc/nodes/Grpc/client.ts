import { sleep } from 'n8n-workflow';
import type { Connect } from '../../../nodes/core/protocols/client';
import { Stopped } from '../../../nodes/core/errors/stopped';
import { operationOf } from '../../../nodes/core/operation/operation';
import { maxRetries } from '../../../nodes/core/protocols/transportOptions';
import { Pacer } from '../../../nodes/core/pacing/pacer';
import { sends } from '../../../nodes/core/protocols/rpcMethods';
import type { CallRequest, Session } from '../../library/session.mts';
import { openEndpoint } from './endpoint';

/** What is asked of an endpoint. */
export type GrpcRequest =
	| { readonly ask: 'services'; readonly timeout: number }
	| { readonly ask: 'describe'; readonly service: string; readonly timeout: number }
	| ({ readonly ask: 'call' } & CallRequest);

export const grpc = operationOf<GrpcRequest>();

const WIDTH = 100;

/** Calls side by side over one connection, which ends with the run; those that a limit turned away come back later. */
export const grpcClient: Connect<GrpcRequest> = async (context, stop) => {
	const endpoint = await openEndpoint(context, context.getExecutionCancelSignal());
	const pace = new Pacer({ concurrency: WIDTH, maxRetries: maxRetries.default }, stop);
	/** A failure of another item needs a moment to arrive. */
	const ready = async () => {
		await sleep(0);
		stop.check();
	};
	return {
		width: WIDTH,
		redact: endpoint.redact,
		close: endpoint.close,
		send: async (request) => {
			const ask = async () =>
				await endpoint.send(async (session) => await answer(session, request, ready));
			try {
				return await pace.call(ask, request.ask === 'call' && sends(request.method));
			} catch (error) {
				throw stop.isCancelled ? new Stopped() : error;
			}
		},
	};
};

async function answer(
	session: Session,
	request: GrpcRequest,
	ready: () => Promise<void>,
): Promise<readonly unknown[]> {
	switch (request.ask) {
		case 'services':
			return await session.services(request.timeout);
		case 'describe':
			return await session.describe(request.service, request.timeout);
		case 'call':
			return await session.call(request, ready);
	}
}
