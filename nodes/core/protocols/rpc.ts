import { Batcher } from './rpcBatcher';
import type { Connect } from './client';
import type { NodeContext } from '../context';
import { openHttpClient } from '../http/httpClient';
import { operationOf } from '../operation/operation';
import { transportOptions } from './transportOptions';
import { RpcRequest } from './rpcRequest';

export const rpc = operationOf<RpcRequest>();

/** Calls of one tick travel together in batches, a few batches at a time. */
export function rpcClient(credentialType: string): Connect<RpcRequest, NodeContext> {
	return async (context, stop) => {
		const options = transportOptions(context, 'rpc');
		const http = await openHttpClient(context, credentialType);
		const batcher = new Batcher(http, options, stop);
		return {
			redact: http.redact,
			together: options.batchSize,
			width: options.batchSize * options.concurrency * 2,
			send: async (request) => await batcher.call(request),
		};
	};
}
