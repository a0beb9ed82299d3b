import fc from 'fast-check';
import { collectResults } from '../../../nodes/core/run';
import { EvmChain, numberToHex } from '../../harness/evmChain.mts';
import { createCall, createContext } from '../support/chains.mts';
import type { RpcRequest } from '../../../nodes/core/protocols/rpc/request';
import { filter } from '../../../nodes/Trace/filter';
import { getSeed } from '../../harness/caseCount.mts';

interface Node {
	/** The number of traces in each block. */
	readonly counts: readonly number[];
	readonly mostBlocks: number;
	/** The highest number of traces in an answer, however many are asked for. */
	readonly cap: number;
}

/** Creates a node that refuses wide ranges, and returns fewer traces than are asked for. */
function createNode({ counts, mostBlocks, cap }: Node) {
	const chain = new EvmChain((number) => ({
		traces: Array.from({ length: counts[number] ?? 0 }, (_, index) => ({ action: {}, index })),
	}));
	chain.height = counts.length - 1;
	const call = createCall((method, params) => {
		const answer = chain.call(method, params);
		if (method !== 'trace_filter') return answer;
		const [filter = {}] = params as ReadonlyArray<Record<string, string>>;
		const { fromBlock = 0, toBlock = chain.height } = filter;
		if (Number(toBlock) - Number(fromBlock) >= mostBlocks)
			throw { code: -32602, message: 'block range too large' };
		return (answer as unknown[]).slice(0, cap);
	});
	return { chain, call };
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
		const { chain, call } = createNode(node);
		const ends = isNamed ? {} : { fromBlock: '0x0', toBlock: numberToHex(chain.height) };
		const parameters = { ...ends, fromAddress: [], toAddress: [], simplify: false, limit, options };
		const found = await collectResults(
			filter,
			parameters,
			createContext<RpcRequest>(async ({ method, params }) => await call(method, params)),
		);
		const { after = 0 } = options;
		const all = chain.call('trace_filter', [{}]) as unknown[];
		expect(found).toEqual(all.slice(after, after + (limit ?? Infinity)));
	});
	await fc.assert(property, { seed: getSeed(15), numRuns: 1000 });
});
