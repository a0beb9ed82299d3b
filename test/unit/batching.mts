import { Batcher } from '../../nodes/core/batcher';
import { Halt } from '../../nodes/core/halt';
import type { RpcRequest } from '../../nodes/core/jsonRpc';
import { duration, rpcCall, told, type fakeDoor, type SentRequest } from './support.mts';

const usual = { batchSize: 100, concurrency: 4, maxRetries: 4, timeout: 1000 };

/** Sends calls in one tick and waits until each has a result or a failure. */
export async function callAll(
	door: ReturnType<typeof fakeDoor>,
	calls: readonly RpcRequest[],
	{ halt = new Halt(), ...others }: Partial<typeof usual> & { halt?: Halt } = {},
): Promise<unknown[]> {
	const batcher = new Batcher(door, { ...usual, ...others }, halt);
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
