import { type Answer, buildHash, type Call, type FakeNode } from './fakeNode.mts';

/** The account that pays itself in every block. */
export const TRACED_ADDRESS = `0x${'1'.repeat(40)}`;

/** A payment of the traced address to itself. */
export const traceOf = (number: number, index = 0, fork = Infinity) => ({
	blockNumber: number,
	blockHash: buildHash(number, fork),
	transactionHash: `0x${number}${index}`,
	transactionPosition: index,
	traceAddress: [] as number[],
	type: 'call',
	action: { from: TRACED_ADDRESS, to: TRACED_ADDRESS, value: '0x1', callType: 'call' },
	result: { gasUsed: '0x1' },
});

/** Returns the first and the last block of a search, and no block for pages after the first. */
export function getSearchedBlocks({ params: [filter] }: Call) {
	const { fromBlock, toBlock, after = 0 } = filter as Record<string, string>;
	return after === 0
		? { from: Number(fromBlock), to: Number(toBlock) }
		: { from: Infinity, to: -Infinity };
}

/** A node's answers about a chain with a trace in every block. */
export const createTraceAnswers = (node: FakeNode): Record<string, Answer> => ({
	trace_filter: (call) => {
		const { from, to } = getSearchedBlocks(call);
		const count = Math.max(0, to - from + 1);
		return Array.from({ length: count }, (_, at) => traceOf(from + at, 0, node.fork));
	},
});
