import type { RunContext } from '../../../nodes/core/operation/operation';
import { createShared } from '../../../nodes/core/operation/results';
import type { Chain } from '../../../nodes/core/protocols/rpc/operation';

/** Creates a context with these answers to calls, and with waits that take no time. */
export function createContext<Request>(
	call: (request: Request) => Promise<unknown>,
	other: Partial<RunContext<Request>> = {},
): RunContext<Request> {
	const wait = async () => await Promise.resolve();
	return {
		call,
		wait,
		shared: createShared(),
		timezone: 'UTC',
		addHint: () => {},
		redact: (text) => text,
		download: rejectDownload,
		openStream: rejectDownload,
		storeFile: rejectDownload,
		...other,
	};
}

const rejectDownload = () => Promise.reject(new Error('there is no file'));

/** Creates a chain whose node answers like this. */
export function createChain(
	answer: (method: string, params: readonly never[]) => unknown,
	memory = createShared(),
): Chain {
	const chain: Chain = {
		call: async (method, params) =>
			await Promise.resolve().then(() => answer(method, params as readonly never[])),
		wait: async () => await Promise.resolve(),
		atPath: () => chain,
		timezone: 'UTC',
		addHint: () => {},
		redact: (text) => text,
		shared: memory,
		download: rejectDownload,
		openStream: rejectDownload,
		storeFile: rejectDownload,
	};
	return chain;
}

/** Collects the contents of all lists. */
export async function collectAll<T>(lists: AsyncIterable<readonly T[]>): Promise<T[]> {
	const found: T[] = [];
	for await (const list of lists) for (const one of list) found.push(one);
	return found;
}
