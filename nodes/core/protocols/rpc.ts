import type { Connect } from './client';
import type { NodeContext } from '../context';
import { openHttpClient } from '../http/httpClient';
import { operationOf } from '../operation/operation';
import { Line } from '../pacing/line';
import { Pacer } from '../pacing/pacer';
import { Batcher } from './batching/batcher';
import { exchangeOver, resultOfCall } from './batching/exchange';
import { Paths } from './batching/paths';
import { SharedReads } from './batching/sharedReads';
import { reads } from './rpcMethods';
import type { RpcRequest } from './rpcRequest';
import { transportOptions } from './transportOptions';

export const rpc = operationOf<RpcRequest>();

/**
 * Reads of one tick travel together in batches, a few batches at a time, and identical ones once. Whatever may do
 * more than read travels alone, in the order of the items, when the one before it is over.
 */
export function rpcClient(credentialType: string): Connect<RpcRequest, NodeContext> {
	return async (context, stop) => {
		const options = transportOptions(context, 'rpc');
		const http = await openHttpClient(context, credentialType);
		const paths = new Paths();
		const reading = exchangeOver(http, paths, options.timeout, stop.signal);
		const sending = exchangeOver(http, paths, options.timeout);
		const pacer = new Pacer(options, stop);
		const line = new Line();
		const batcher = new Batcher(reading, pacer, stop, options.batchSize);
		const shared = new SharedReads(async (request) => await batcher.call(request));
		return {
			redact: http.redact,
			together: options.batchSize,
			width: options.batchSize * options.concurrency * 2,
			isOnce: mayDoMore,
			send: async (request, { once }) => {
				if (once || mayDoMore(request)) {
					const send = async () => await resultOfCall(sending, request);
					return await line.run(async () => await pacer.call(send, true));
				}
				return await shared.call(request);
			},
		};
	};
}

/** Only what is known to read may be repeated, by its name or by the user's word. */
function mayDoMore({ method, isRead }: RpcRequest): boolean {
	return !isRead && !reads(method);
}
