import { rpcFailure } from '../../../nodes/core/responses/rpcErrors';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { readRange, type Ends } from '../../../nodes/core/chain/ranges';
import { collect } from '../../../nodes/core/operation/collect';
import { runScope, type RunScope } from '../../../nodes/core/operation/step';
import type { RpcRequest } from '../../../nodes/core/rpc/request';

/** Why a node does not search a range; undefined if it does. */
export type Refuse = (from: number, to: number, found: number) => object | undefined;

export interface Asked {
	readonly from: number;
	readonly to: number;
	readonly isRefused: boolean;
}

export const error = (code: number, message: string, data?: unknown) => ({ code, message, data });

export const refusals = {
	byBlocks: (most: number, says = `block range too large, max is ${most}`): Refuse => {
		return (from, to) => (to - from + 1 > most ? error(-32602, says) : undefined);
	},
	byResults: (most: number): Refuse => {
		return (_from, _to, found) =>
			found > most ? error(-32005, `query returned more than ${most} results`) : undefined;
	},
} as const;

/** A node with so many logs in each block, which refuses some searches. */
export function limitedNode(counts: readonly number[], refuse: Refuse) {
	const asked: Asked[] = [];
	const head = counts.length - 1;
	const logs = (from: number, to: number) =>
		counts
			.slice(from, to + 1)
			.flatMap((count, at) => Array.from({ length: count }, (_, index) => `${from + at}/${index}`));
	const answer = ({ method, params }: RpcRequest): unknown => {
		if (method === 'eth_getBlockByNumber') return { number: `0x${head.toString(16)}` };
		const [from = 0, to = head] = (params as readonly unknown[]).map((one) =>
			one === 'latest' ? head : Number(one),
		);
		const found = logs(from, to);
		const refusal = refuse(from, to, found.length);
		asked.push({ from, to, isRefused: refusal !== undefined });
		if (refusal instanceof RequestFailure) throw refusal;
		if (refusal) throw rpcFailure('eth_getLogs', refusal);
		return found;
	};
	const send = async (request: RpcRequest) => await Promise.resolve().then(() => answer(request));

	async function read(ends: Partial<Ends> = {}, limit?: number, scope: RunScope = runScope('UTC')) {
		const list = {
			requests: (from: string, to: string) => [{ path: '/', method: 'search', params: [from, to] }],
			things: ([found]: readonly unknown[]) => found as string[],
		};
		const operation = {
			...{ name: '', action: '', description: '', fields: [] },
			begin: (_: never, run: RunScope) =>
				readRange(list, { from: '0x0', to: 'latest', ...ends }, '/', run),
		};
		const wait = async () => await Promise.resolve();
		return await collect(operation, { limit }, send, { scope, wait });
	}

	return { asked, all: logs(0, head), read };
}
