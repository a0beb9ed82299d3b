import { request } from 'undici';
import type { Sandbox } from '../../harness/sandbox.mts';

export interface StarkAccount {
	address: string;
	privateKey: string;
	publicKey: string;
	classHash: string;
}

interface StarkInfo {
	accounts: StarkAccount[];
	contracts: Record<string, { address: string; classHash: string }>;
	head: { number: number; hash: string };
	l1Head: number;
}

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

	/** The result; whatever fails is thrown. */
	async function read<Result = Record<string, unknown>>(method: string, ...params: unknown[]) {
		const { result, error } = await ask(`starknet_${method}`, params);
		if (error) throw new Error(JSON.stringify(error));
		return result as Result;
	}

	return {
		url,
		ask,
		read,
		/** The code of the error. */
		refusal: async (method: string, ...params: unknown[]) =>
			(await ask(`starknet_${method}`, params)).error?.code,
		set: async (setting: Setting) => await sandbox.control('PUT', '/stark', setting),
		info: async () => (await sandbox.control('GET', '/stark')) as StarkInfo,
		advance: async (count = 1) => await sandbox.control('POST', '/stark/blocks', { count }),
		send: async (...calls: { to: string; function: string; calldata?: string[] }[]) =>
			(await sandbox.control('POST', '/stark/transactions', { calls })) as {
				transaction_hash: string;
			},
	};
}

export type StarkNode = ReturnType<typeof starkNode>;
