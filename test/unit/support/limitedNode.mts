import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { readRange, type RangeEnds } from '../../../nodes/core/evm/ranges';
import { createChain, collectAll } from './chains.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

/** Gives the reason why a node refuses to search a range, or undefined if it searches the range. */
export type Refuse = (from: number, to: number, found: number) => object | undefined;

interface AskedRange {
	readonly from: number;
	readonly to: number;
	readonly isRefused: boolean;
}

export const buildError = (code: number, message: string, data?: unknown) => ({
	code,
	message,
	data,
});

export const REFUSALS = {
	byBlocks: (most: number, says = `block range too large, max is ${most}`): Refuse => {
		return (from, to) => (to - from + 1 > most ? buildError(-32602, says) : undefined);
	},
	byResults: (most: number): Refuse => {
		return (_from, _to, found) =>
			found > most ? buildError(-32005, `query returned more than ${most} results`) : undefined;
	},
} as const;

/**
 * Creates a chain node that has `counts[n]` results in block n, and refuses some searches. It answers by the counts
 * alone, so it needs no model of a chain.
 */
export function createLimitedNode(counts: readonly number[], refuse: Refuse) {
	const asked: AskedRange[] = [];
	const head = counts.length - 1;
	const logs = (from: number, to: number) =>
		counts
			.slice(from, to + 1)
			.flatMap((count, at) => Array.from({ length: count }, (_, index) => `${from + at}/${index}`));
	const answer = (method: string, params: readonly unknown[]): unknown => {
		if (method === 'eth_getBlockByNumber') return { number: `0x${head.toString(16)}` };
		const [from = 0, to = head] = params.map((one) => (one === 'latest' ? head : Number(one)));
		const found = logs(from, to);
		const refusal = refuse(from, to, found.length);
		asked.push({ from, to, isRefused: refusal !== undefined });
		if (refusal instanceof RequestFailure) throw refusal;
		if (refusal) throw rpcError('eth_getLogs', refusal);
		return found;
	};

	async function read(ends: Partial<RangeEnds> = {}, limit?: number, memory = createShared()) {
		const chain = createChain(answer, memory);
		const search = async function* ({ from, to }: RangeEnds) {
			yield (await chain.call('search', [from, to])) as string[];
		};
		return await collectAll(
			readRange(chain, search, { from: '0x0', to: 'latest', ...ends }, { wanted: limit }),
		);
	}

	return { asked, all: logs(0, head), read };
}
