import fc from 'fast-check';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import { collectResults } from '../../../nodes/core/operation/results';
import { createContext } from '../support/chains.mts';
import type { RpcRequest } from '../../../nodes/core/protocols/rpc/request';
import { filter } from '../../../nodes/Trace/filter';

interface Search {
	readonly fromBlock?: string;
	readonly toBlock?: string;
	readonly after?: number;
	readonly count: number;
}

interface Node {
	/** How many traces each block has. */
	readonly counts: readonly number[];
	readonly mostBlocks: number;
	/** How many traces it returns at a time, however many are asked for. */
	readonly cap: number;
}

const hex = (number: number) => `0x${number.toString(16)}`;

function tracesIn(counts: readonly number[]) {
	return counts.flatMap((count, blockNumber) =>
		Array.from({ length: count }, (_, index) => ({ action: {}, blockNumber, index })),
	);
}

function answerOf({ counts, mostBlocks, cap }: Node) {
	const head = counts.length - 1;
	return ({ method, params }: RpcRequest): unknown => {
		if (method === 'eth_getBlockByNumber') return { number: hex(head) };
		const [{ fromBlock = '0x0', toBlock, after = 0, count }] = params as readonly [Search];
		const [from, to] = [Number(fromBlock), toBlock === undefined ? head : Number(toBlock)];
		if (to - from >= mostBlocks) {
			throw rpcError(method, { code: -32602, message: 'block range too large' });
		}
		const found = tracesIn(counts).filter(
			({ blockNumber }) => blockNumber >= from && blockNumber <= to,
		);
		return found.slice(after, after + Math.min(count, cap));
	};
}

test('traces that are skipped, read in pages and in parts are those of one long list', async () => {
	const nodes = fc.record({
		counts: fc.array(fc.nat(8), { minLength: 1, maxLength: 60 }),
		mostBlocks: fc.integer({ min: 1, max: 70 }),
		cap: fc.integer({ min: 1, max: 30 }),
	});
	const wishes = fc.record({
		after: fc.option(fc.nat(30), { nil: undefined }),
		pageSize: fc.integer({ min: 1, max: 40 }),
		limit: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
		isNamed: fc.boolean(),
	});
	const property = fc.asyncProperty(nodes, wishes, async (node, { limit, isNamed, ...options }) => {
		const answer = answerOf(node);
		const ends = isNamed ? {} : { fromBlock: '0x0', toBlock: hex(node.counts.length - 1) };
		const parameters = { ...ends, fromAddress: [], toAddress: [], simplify: false, limit, options };
		const found = await collectResults(
			filter,
			parameters,
			createContext(async (request) => await Promise.resolve().then(() => answer(request))),
		);
		const { after = 0 } = options;
		expect(found).toEqual(tracesIn(node.counts).slice(after, after + (limit ?? Infinity)));
	});
	await fc.assert(property, { seed: 15, numRuns: 1000 });
});
