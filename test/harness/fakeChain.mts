import type { IDataObject } from 'n8n-workflow';
import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem';
import { type Answer, buildHash, type Call, type FakeNode, numberToHex } from './fakeNode.mts';

export const TOKEN_ADDRESS = `0x${'c0'.repeat(20)}`;
export const [ALICE, BOB] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const;

const TRANSFER_ABI = parseAbi([
	'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

/** Senders and recipients, transaction by transaction, in every block. */
const BLOCK_TRANSACTIONS = [
	[
		[ALICE, BOB],
		[BOB, ALICE],
	],
	[
		[BOB, ALICE],
		[ALICE, ALICE],
	],
	[[ALICE, BOB]],
] as const;

/** The parts that the transfers of all blocks have in common; the index of each log counts within its transaction. */
const TRANSFERS = BLOCK_TRANSACTIONS.flatMap((transfers, transaction) =>
	transfers.map(([from, to], index) => ({
		transaction,
		topics: encodeEventTopics({ abi: TRANSFER_ABI, args: { from, to } }) as string[],
		data: encodeAbiParameters([{ type: 'uint256' }], [BigInt(index)]),
		logIndex: numberToHex(index),
	})),
);

/** The transfers in a block. */
export function buildTransfers(number: number, fork = Infinity) {
	const blockHash = buildHash(number, fork);
	return TRANSFERS.map(({ transaction, topics, data, logIndex }) => ({
		address: TOKEN_ADDRESS,
		topics,
		data,
		blockNumber: numberToHex(number),
		blockHash,
		transactionHash: `0x${transaction}${blockHash.slice(3)}`,
		transactionIndex: numberToHex(transaction),
		logIndex,
	}));
}

/** How often the node names each log in an answer. */
export type LogRepetition = 'once' | 'twice';

/** The first of them alone. */
export const buildOneTransfer = (...block: Parameters<typeof buildTransfers>) =>
	buildTransfers(...block).slice(0, 1);

interface Filter {
	readonly blockHash?: string;
	readonly fromBlock: string;
	readonly toBlock: string;
	readonly topics?: ReadonlyArray<string | readonly string[] | null>;
}

interface TransfersChain {
	/** The most blocks that a search may span. */
	readonly most?: number;
	/** The logs of a block, if they are others. */
	readonly logsIn?: (number: number, fork: number) => ReturnType<typeof buildTransfers>;
}

/** Lists the blocks whose logs a call asks for, as far as the node has them. */
export function listSearchedBlocks({ height, fork }: FakeNode, { params: [asked] }: Call) {
	const { blockHash, fromBlock, toBlock } = asked as Filter;
	const all = Array.from({ length: height + 1 }, (_, number) => number);
	const heightOf = (block: string) => (block === 'latest' ? height : Number(block));
	return blockHash
		? all.filter((number) => buildHash(number, fork) === blockHash)
		: all.slice(heightOf(fromBlock), heightOf(toBlock) + 1);
}

/** The node's answers about the logs of such a chain. */
export function createTransferAnswers(
	node: FakeNode,
	times: LogRepetition = 'once',
	{ most = Infinity, logsIn = buildTransfers }: TransfersChain = {},
) {
	return {
		eth_getLogs: (call: Call) => {
			const { topics = [] } = call.params[0] as Filter;
			const blocks = listSearchedBlocks(node, call);
			if (blocks.length > most)
				throw { code: -32602, message: `block range too large, max is ${most}` };
			const logs = blocks
				.flatMap((number) => logsIn(number, node.fork))
				.filter((log) =>
					topics.every((one, at) => one === null || [one].flat().includes(log.topics[at] ?? '')),
				);
			return times === 'once' ? logs : [...logs, ...logs];
		},
		eth_call: () => '0x',
	} satisfies Record<string, Answer>;
}

/** Names that identify a log, in an item as on the chain, and whether it was taken back. */
export const getLogNames = (logs: readonly IDataObject[]) =>
	logs.map(
		({ transactionHash, logIndex, removed }) =>
			`${removed ? '-' : '+'}${String(transactionHash)}/${Number(logIndex)}`,
	);

/** The names of all logs in the blocks from one to another. */
export const getLogNamesBetween = (from: number, to: number, fork = Infinity) =>
	Array.from({ length: to - from + 1 }, (_, at) => buildTransfers(from + at, fork)).flatMap(
		getLogNames,
	);

/** The names of logs that are taken back. */
export const asRemoved = (names: readonly string[]) =>
	[...names].reverse().map((name) => name.replace('+', '-'));

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
