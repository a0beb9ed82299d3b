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

/** The node's answers about the logs of such a chain. */
export function createTransferAnswers(
	node: FakeNode,
	times: LogRepetition = 'once',
	{ most = Infinity, logsIn = buildTransfers }: TransfersChain = {},
) {
	const heightOf = (block: string) => (block === 'latest' ? node.height : Number(block));

	function blocksIn({ blockHash, fromBlock, toBlock }: Filter): number[] {
		const all = Array.from({ length: node.height + 1 }, (_, number) => number);
		if (blockHash) return all.filter((number) => buildHash(number, node.fork) === blockHash);
		const [from, to] = [heightOf(fromBlock), heightOf(toBlock)];
		if (to - from >= most) throw { code: -32602, message: `block range too large, max is ${most}` };
		return all.slice(from, to + 1);
	}

	return {
		eth_getLogs: ({ params: [asked] }: Call) => {
			const { topics = [] } = asked as Filter;
			const logs = blocksIn(asked as Filter)
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
