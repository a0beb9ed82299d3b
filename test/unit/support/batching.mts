import { Batcher } from '../../../nodes/core/protocols/rpc/batcher';
import { ApiPaths, createExchange, withThrottle } from '../../../nodes/core/protocols/rpc/exchange';
import { Pacer } from '../../../nodes/core/net/pacing/pacer';
import { Stop } from '../../../nodes/core/net/pacing/stop';
import type { RpcRequest } from '../../../nodes/core/protocols/rpc/request';
import {
	measureDuration,
	buildCall,
	getOutcome,
	type createFakeHttp,
	type SentCall,
	type SentRequest,
} from './fakes.mts';

const DEFAULT_LIMITS = {
	batchSize: 100,
	concurrency: 4,
	maxCallsPerSecond: 0,
	maxRetries: 4,
	timeout: 1000,
};

/** Sends all calls at the same time, and waits until each has a result or a failure. */
export async function callAll(
	http: ReturnType<typeof createFakeHttp>,
	calls: readonly RpcRequest[],
	{ stop = new Stop(), ...others }: Partial<typeof DEFAULT_LIMITS> & { stop?: Stop } = {},
): Promise<unknown[]> {
	const { timeout, batchSize, ...limits } = { ...DEFAULT_LIMITS, ...others };
	const pacer = new Pacer(limits, stop);
	const exchange = createExchange(withThrottle(http, pacer.throttle), new ApiPaths(), timeout);
	const batcher = new Batcher(exchange, pacer, stop, batchSize);
	const settled = calls.map(async (call) => {
		try {
			return { result: await batcher.call(call) };
		} catch (failure) {
			return { failure };
		}
	});
	const all = Promise.all(settled);
	await measureDuration(all);
	return (await all).map(getOutcome);
}

export const buildCalls = (count: number, path?: string) =>
	Array.from({ length: count }, (_, index) => buildCall(index, path));
/** Lists the number of calls in each request. */
export const getSizes = (sent: readonly SentRequest[]) => sent.map(({ calls }) => calls.length);
/** Builds the answers of a server that returns the parameters of each call. */
export const buildResults = (count: number) => Array.from({ length: count }, (_, index) => [index]);
/** Builds the same answers as `buildResults`, except for the calls that fail even when they are sent alone. */
export const buildResultsExcept = (count: number, words: string, ...indices: readonly number[]) =>
	buildResults(count).map((result, index) => (indices.includes(index) ? words : result));
/** Tells whether the calls include one of the calls with the given indices. */
export const includesCall = (calls: readonly SentCall[], ...indices: readonly number[]) =>
	calls.some(({ params }) => indices.includes(Number(params[0])));
