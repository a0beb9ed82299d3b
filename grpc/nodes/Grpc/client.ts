import type { Connect } from '../../../nodes/core/client';
import { Halted } from '../../../nodes/core/failure';
import { operationOf } from '../../../nodes/core/operation';
import type { CallRequest, Session } from '../../library/session.mts';
import { openEndpoint } from './endpoint';

/** What is asked of an endpoint. */
export type GrpcRequest =
	| { readonly ask: 'services'; readonly timeout: number }
	| { readonly ask: 'describe'; readonly service: string; readonly timeout: number }
	| ({ readonly ask: 'call' } & CallRequest);

export const grpc = operationOf<GrpcRequest>();

const WIDTH = 100;

/** Calls side by side over one connection, which ends with the run. */
export const grpcClient: Connect<GrpcRequest> = async (context, halt) => {
	const endpoint = await openEndpoint(context, context.getExecutionCancelSignal());
	return {
		width: WIDTH,
		strike: endpoint.strike,
		close: endpoint.close,
		send: async (request) => {
			try {
				return await endpoint.send(async (session) => await answer(session, request));
			} catch (error) {
				throw halt.isCancelled ? new Halted() : error;
			}
		},
	};
};

async function answer(session: Session, request: GrpcRequest): Promise<readonly unknown[]> {
	switch (request.ask) {
		case 'services':
			return await session.services(request.timeout);
		case 'describe':
			return await session.describe(request.service, request.timeout);
		case 'call':
			return await session.call(request);
	}
}
