import { request } from 'undici';
import { createStarkChain, type StarkCall } from '../../harness/starkChain.mts';

interface RpcAnswer {
	result?: unknown;
	error?: { code: number; message: string; data?: unknown };
}

/** Creates the STARK rollup of a sandbox for one test file. Requests to it are plain HTTP, without a client library. */
export function openStarkNode() {
	const chain = createStarkChain();
	const { sandbox } = chain;
	const url = () => `${sandbox.nodeUrl}/${sandbox.authToken}`;

	async function ask(method: string, params?: unknown): Promise<RpcAnswer> {
		const answer = await request(url(), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({
				jsonrpc: '2.0',
				id: 1,
				method,
				...(params !== undefined && { params }),
			}),
		});
		return (await answer.body.json()) as RpcAnswer;
	}

	/** Calls a method and returns its result. Throws if the call fails. */
	async function read<Result = Record<string, unknown>>(method: string, ...params: unknown[]) {
		const { result, error } = await ask(`starknet_${method}`, params);
		if (error) throw new Error(JSON.stringify(error));
		return result as Result;
	}

	return {
		...chain,
		url,
		ask,
		read,
		/** Calls a method and returns the code of its error. */
		refusal: async (method: string, ...params: unknown[]) =>
			(await ask(`starknet_${method}`, params)).error?.code,
		/** Sends calls from the first account. Returns the hash in the form of the node. */
		send: async (...calls: readonly StarkCall[]) =>
			(await chain.control('transactions', { calls })) as { transaction_hash: string },
	};
}
