import { request } from 'undici';
import type { Sandbox } from '../../harness/sandbox.mts';
import { readStarkInfo } from '../../harness/starkChain.mts';

interface RpcAnswer {
	result?: unknown;
	error?: { code: number; message: string; data?: unknown };
}

interface Setting {
	version?: string;
	[setting: string]: unknown;
}

/** The STARK rollup of a sandbox, asked without a client. */
export function starkNode(sandbox: Sandbox) {
	const url = `${sandbox.nodeUrl}/${sandbox.authToken}`;

	async function ask(method: string, params?: unknown): Promise<RpcAnswer> {
		const answer = await request(url, {
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

	/** Returns the result, and throws whatever fails. */
	async function read<Result = Record<string, unknown>>(method: string, ...params: unknown[]) {
		const { result, error } = await ask(`starknet_${method}`, params);
		if (error) throw new Error(JSON.stringify(error));
		return result as Result;
	}

	return {
		url,
		ask,
		read,
		/** Returns the code of the error. */
		refusal: async (method: string, ...params: unknown[]) =>
			(await ask(`starknet_${method}`, params)).error?.code,
		set: async (setting: Setting) => await sandbox.control('PUT', '/stark', setting),
		info: async () => await readStarkInfo(sandbox.control),
		advance: async (count = 1) => await sandbox.control('POST', '/stark/blocks', { count }),
		send: async (...calls: { to: string; function: string; calldata?: string[] }[]) =>
			(await sandbox.control('POST', '/stark/transactions', { calls })) as {
				transaction_hash: string;
			},
	};
}

export type StarkNode = ReturnType<typeof starkNode>;
