import { Batcher } from '../../../nodes/core/rpc/batcher';
import { ApiPaths, exchangeOver, throttled } from '../../../nodes/core/rpc/exchange';
import { Pacer } from '../../../nodes/core/pacing/pacer';
import { Stop } from '../../../nodes/core/pacing/stop';
import type { RpcRequest } from '../../../nodes/core/rpc/request';
import {
	duration,
	rpcCall,
	told,
	type fakeHttp,
	type SentCall,
	type SentRequest,
} from './fakes.mts';

const usual = {
	batchSize: 100,
	concurrency: 4,
	maxCallsPerSecond: 0,
	maxRetries: 4,
	timeout: 1000,
};

/** Sends calls in one tick and waits until each has a result or a failure. */
export async function callAll(
	http: ReturnType<typeof fakeHttp>,
	calls: readonly RpcRequest[],
	{ stop = new Stop(), ...others }: Partial<typeof usual> & { stop?: Stop } = {},
): Promise<unknown[]> {
	const { timeout, batchSize, ...limits } = { ...usual, ...others };
	const pacer = new Pacer(limits, stop);
	const exchange = exchangeOver(throttled(http, pacer.throttle), new ApiPaths(), timeout);
	const batcher = new Batcher(exchange, pacer, stop, batchSize);
	const settled = calls.map(async (call) => {
		try {
			return { result: await batcher.call(call) };
		} catch (failure) {
			return { failure };
		}
	});
	const all = Promise.all(settled);
	await duration(all);
	return (await all).map(told);
}

export const many = (count: number, path?: string) =>
	Array.from({ length: count }, (_, index) => rpcCall(index, path));
/** How many calls each request carried. */
export const sizes = (sent: readonly SentRequest[]) => sent.map(({ calls }) => calls.length);
/** What the echo answers to them. */
export const expected = (count: number) => Array.from({ length: count }, (_, index) => [index]);
/** The same, but for calls that even alone get a failure. */
export const except = (count: number, words: string, ...indices: readonly number[]) =>
	expected(count).map((result, index) => (indices.includes(index) ? words : result));
/** Whether one of these calls is among them. */
export const holds = (calls: readonly SentCall[], ...indices: readonly number[]) =>
	calls.some(({ params }) => indices.includes(Number(params[0])));
