import type { RunContext } from '../../../nodes/core/operation/operation';
import { memoryOf } from '../../../nodes/core/operation/results';
import type { Chain } from '../../../nodes/core/rpc/chain';

/** What a run gives to an item, with calls that are answered so and waits that take no time. */
export function contextOf<Request>(
	call: (request: Request) => Promise<unknown>,
	other: Partial<RunContext<Request>> = {},
): RunContext<Request> {
	const wait = async () => await Promise.resolve();
	return { call, wait, memory: memoryOf(), timezone: 'UTC', download: noFile, ...other };
}

const noFile = async () => await Promise.reject(new Error('there is no file'));

/** A chain whose node answers so. */
export function chainAnswering(
	answer: (method: string, params: readonly never[]) => unknown,
	memory = memoryOf(),
): Chain {
	const chain: Chain = {
		call: async (method, params) =>
			await Promise.resolve().then(() => answer(method, params as readonly never[])),
		wait: async () => await Promise.resolve(),
		at: () => chain,
		timezone: 'UTC',
		memory,
		download: noFile,
	};
	return chain;
}

/** All that is in the lists that come. */
export async function everyOne<T>(lists: AsyncIterable<readonly T[]>): Promise<T[]> {
	const found: T[] = [];
	for await (const list of lists) for (const one of list) found.push(one);
	return found;
}
