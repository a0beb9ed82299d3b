import type { RunContext } from '../../../nodes/core/operation/operation';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import type { Chain } from '../../../nodes/core/protocols/rpc/operation';
import { createShared } from '../../../nodes/core/net/pacing/shared';

/** Creates a context that answers requests by the function `call`. Its waits take no time. */
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

type AnswerCall = (method: string, params: readonly never[]) => unknown;

/**
 * Creates a call to a node that answers by the given function. If the function throws a value that is no Error, the
 * call fails with this value as the JSON-RPC error.
 */
export function createCall(answer: AnswerCall): Chain['call'] {
	return async (method, params) => {
		try {
			return await Promise.resolve().then(() => answer(method, params as readonly never[]));
		} catch (error) {
			throw error instanceof Error ? error : rpcError(method, error);
		}
	};
}

/** Creates a chain whose node answers by the given function. */
export function createChain(answer: AnswerCall, memory = createShared()): Chain {
	const chain: Chain = {
		call: createCall(answer),
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

/** Joins all lists into a single list. */
export async function collectAll<T>(lists: AsyncIterable<readonly T[]>): Promise<T[]> {
	const found: T[] = [];
	for await (const list of lists) for (const one of list) found.push(one);
	return found;
}
