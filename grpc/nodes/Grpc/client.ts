import { sleep } from 'n8n-workflow';
import type { Connect } from '../../../nodes/core/client';
import { Halted } from '../../../nodes/core/failure';
import { operationOf } from '../../../nodes/core/operation';
import { maxRetries } from '../../../nodes/core/options';
import { Pace } from '../../../nodes/core/pace';
import { sends } from '../../../nodes/core/sends';
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
export const grpcClient: Connect<GrpcRequest> = async (context, halt) => {
	const endpoint = await openEndpoint(context, context.getExecutionCancelSignal());
	const pace = new Pace({ concurrency: WIDTH, maxRetries: maxRetries.default }, halt);
	/** A failure of another item needs a moment to arrive. */
	const ready = async () => {
		await sleep(0);
		halt.check();
	};
	return {
		width: WIDTH,
		strike: endpoint.strike,
		close: endpoint.close,
		send: async (request) => {
			const ask = async () =>
				await endpoint.send(async (session) => await answer(session, request, ready));
			try {
				return await pace.call(ask, request.ask === 'call' && sends(request.method));
			} catch (error) {
				throw halt.isCancelled ? new Halted() : error;
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
