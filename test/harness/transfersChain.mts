import type { IDataObject } from 'n8n-workflow';
import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem';
import { type Answer, blockOf, type FakeNode, hex } from './fakeNode.mts';

export const TOKEN = `0x${'c0'.repeat(20)}`;
export const [ALICE, BOB] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const;

const abi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);

/** From whom to whom, transaction by transaction, in every block. */
const TRANSACTIONS = [
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

/** The transfers in a block: the index of each log counts within its transaction. */
export const transfersIn = (number: number, fork = Infinity) =>
	TRANSACTIONS.flatMap((transfers, transaction) =>
		transfers.map(([from, to], index) => ({
			address: TOKEN,
			topics: encodeEventTopics({ abi, args: { from, to } }) as string[],
			data: encodeAbiParameters([{ type: 'uint256' }], [BigInt(index)]),
			blockNumber: hex(number),
			blockHash: blockOf(number, fork).hash,
			transactionHash: `0x${transaction}${blockOf(number, fork).hash.slice(3)}`,
			transactionIndex: hex(transaction),
			logIndex: hex(index),
		})),
	);

/** How often the node names each log in an answer. */
export type Times = 'once' | 'twice';

interface Filter {
	readonly blockHash?: string;
	readonly fromBlock: string;
	readonly toBlock: string;
	readonly topics?: ReadonlyArray<string | readonly string[] | null>;
}

/** How the node answers for the logs of such a chain; it searches no more than so many blocks at a time. */
export function transfersOn(node: FakeNode, times: Times, most = Infinity): Record<string, Answer> {
	const heightOf = (block: string) => (block === 'latest' ? node.height : Number(block));

	function blocksIn({ blockHash, fromBlock, toBlock }: Filter): number[] {
		const all = Array.from({ length: node.height + 1 }, (_, number) => number);
		if (blockHash) return all.filter((number) => blockOf(number, node.fork).hash === blockHash);
		const [from, to] = [heightOf(fromBlock), heightOf(toBlock)];
		if (to - from >= most) throw { code: -32602, message: `block range too large, max is ${most}` };
		return all.slice(from, to + 1);
	}

	return {
		eth_getLogs: ({ params: [asked] }) => {
			const { topics = [] } = asked as Filter;
			const logs = blocksIn(asked as Filter)
				.flatMap((number) => transfersIn(number, node.fork))
				.filter((log) =>
					topics.every((one, at) => one === null || [one].flat().includes(log.topics[at] ?? '')),
				);
			return times === 'once' ? logs : [...logs, ...logs];
		},
		eth_call: () => '0x',
	};
}

/** What tells one log from all others, in an item as on the chain, and whether it is taken back. */
export const namesOf = (logs: readonly IDataObject[]) =>
	logs.map(
		({ transactionHash, logIndex, removed }) =>
			`${removed ? '-' : '+'}${String(transactionHash)}/${Number(logIndex)}`,
	);

/** The names of all logs in the blocks from one to another. */
export const namesIn = (from: number, to: number, fork = Infinity) =>
	Array.from({ length: to - from + 1 }, (_, at) => transfersIn(from + at, fork)).flatMap(namesOf);

/** As they are taken back. */
export const takenBack = (names: readonly string[]) =>
	[...names].reverse().map((name) => name.replace('+', '-'));
