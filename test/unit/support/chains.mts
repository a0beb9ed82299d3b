import type { RunContext } from '../../../nodes/core/operation/operation';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import type { Chain } from '../../../nodes/core/protocols/rpc/operation';
import { createShared } from '../../../nodes/core/net/pacing/shared';

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

type AnswerCall = (method: string, params: readonly never[]) => unknown;

/** Calls a node that answers like this. An error that it throws in the form of JSON-RPC becomes a failure. */
export function createCall(answer: AnswerCall): Chain['call'] {
	return async (method, params) => {
		try {
			return await Promise.resolve().then(() => answer(method, params as readonly never[]));
		} catch (error) {
			throw error instanceof Error ? error : rpcError(method, error);
		}
	};
}

/** Creates a chain whose node answers like this. */
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

/** Collects the contents of all lists. */
export async function collectAll<T>(lists: AsyncIterable<readonly T[]>): Promise<T[]> {
	const found: T[] = [];
	for await (const list of lists) for (const one of list) found.push(one);
	return found;
}
