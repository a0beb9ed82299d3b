import type { NodeContext } from '../../context';
import { openHttpClient, type ClientSettings } from '../../net/http/client';
import { getPlainCredential } from '../../net/http/credential';
import type { Connect } from '../../operation/client';
import { parseTransportOptions } from '../../operation/transportOptions';
import { SerialQueue } from '../../net/pacing/concurrency';
import { Pacer } from '../../net/pacing/pacer';
import { Batcher } from './batcher';
import { ApiPaths, createExchange, sendCall, withThrottle } from './exchange';
import { ReadCache } from './readCache';
import { isReadMethod, type RpcRequest } from './request';

/**
 * Reads of one tick travel together in batches, a few batches at a time, and identical ones once. A call that may do
 * more than read travels alone, in the order of the items, after the one before it.
 */
export function connectRpc(
	credentialType: string,
	settings?: ClientSettings,
): Connect<RpcRequest, NodeContext> {
	return async (context, stop) => {
		const credential = settings?.credential ?? (await getPlainCredential(context, credentialType));
		const options = parseTransportOptions(context, 'rpc', credential);
		const pacer = new Pacer(options, stop);
		const client = await openHttpClient(context, credentialType, { ...settings, credential });
		const http = withThrottle(client, pacer.throttle);
		const paths = new ApiPaths();
		const reading = createExchange(http, paths, options.timeout, stop.signal);
		const sending = createExchange(http, paths, options.timeout);
		const serial = new SerialQueue();
		const batcher = new Batcher(reading, pacer, stop, options.batchSize);
		const cache = new ReadCache(async (request) => await batcher.call(request));
		return {
			redact: http.redact,
			batchSize: options.batchSize,
			parallelItems: options.batchSize * options.concurrency * 2,
			isAtMostOnce,
			call: async (request, { atMostOnce }) => {
				if (atMostOnce || isAtMostOnce(request)) {
					const send = async () => await sendCall(sending, request);
					return await serial.run(async () => await pacer.call(send, true));
				}
				return await cache.call(request);
			},
		};
	};
}

/** A call may be repeated only if its name or the user says that it reads. */
function isAtMostOnce({ method, atMostOnce }: RpcRequest): boolean {
	return atMostOnce ?? !isReadMethod(method);
}
