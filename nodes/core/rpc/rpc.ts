import type { NodeContext } from '../context';
import { openHttpClient, type Authenticate } from '../http/client';
import type { Connect } from '../operation/client';
import { transportOptions } from '../operation/transportOptions';
import { SerialQueue } from '../pacing/concurrency';
import { Pacer } from '../pacing/pacer';
import { Batcher } from './batcher';
import { ApiPaths, exchangeOver, resultOfCall, throttled } from './exchange';
import { ReadCache } from './readCache';
import { reads, type RpcRequest } from './request';

/**
 * Reads of one tick travel together in batches, a few batches at a time, and identical ones once. Whatever may do
 * more than read travels alone, in the order of the items, when the one before it is over.
 */
export function rpcClient(
	credentialType: string,
	authenticate?: Authenticate,
): Connect<RpcRequest, NodeContext> {
	return async (context, stop) => {
		const options = transportOptions(context, 'rpc');
		const pacer = new Pacer(options, stop);
		const client = await openHttpClient(context, credentialType, authenticate);
		const http = throttled(client, pacer.throttle);
		const paths = new ApiPaths();
		const reading = exchangeOver(http, paths, options.timeout, stop.signal);
		const sending = exchangeOver(http, paths, options.timeout);
		const serial = new SerialQueue();
		const batcher = new Batcher(reading, pacer, stop, options.batchSize);
		const shared = new ReadCache(async (request) => await batcher.call(request));
		return {
			redact: http.redact,
			batchSize: options.batchSize,
			width: options.batchSize * options.concurrency * 2,
			isNonIdempotent,
			call: async (request, { nonIdempotent }) => {
				if (nonIdempotent || isNonIdempotent(request)) {
					const send = async () => await resultOfCall(sending, request);
					return await serial.run(async () => await pacer.call(send, true));
				}
				return await shared.call(request);
			},
		};
	};
}

/** Only what is known to read may be repeated, by its name or by the user's word. */
function isNonIdempotent({ method, isRead }: RpcRequest): boolean {
	return !isRead && !reads(method);
}
