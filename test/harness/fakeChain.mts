import type { IDataObject } from 'n8n-workflow';
import { encodeAbiParameters, encodeEventTopics, parseAbi, type Hex } from 'viem';
import { deposit } from './accountKey.mts';
import { EvmChain, numberToHex, type BlockContents } from './evmChain.mts';
import type { FakeNode } from './fakeNode.mts';

export const TOKEN_ADDRESS = `0x${'c0'.repeat(20)}`;
/** Two addresses of the account key. */
export const [ALICE, BOB] = [deposit(1), deposit(2)] as const;

const TRANSFER_ABI = parseAbi([
	'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

const buildTransfer = (from: Hex, to: Hex, index: number) => ({
	address: TOKEN_ADDRESS,
	topics: encodeEventTopics({ abi: TRANSFER_ABI, args: { from, to } }) as string[],
	data: encodeAbiParameters([{ type: 'uint256' }], [BigInt(index)]),
	logIndex: numberToHex(index),
});

export const FIRST_TRANSFER = buildTransfer(ALICE, BOB, 0);

/** A block with five transfers in three transactions. In each transaction, the indexes of the logs begin at 0. */
export const TRANSFERS: BlockContents = {
	transactions: [
		{ logs: [FIRST_TRANSFER, buildTransfer(BOB, ALICE, 1)] },
		{ logs: [buildTransfer(BOB, ALICE, 0), buildTransfer(ALICE, ALICE, 1)] },
		{ logs: [buildTransfer(ALICE, BOB, 0)] },
	],
};

/** How often the fake chain node lists each log in an answer. */
export type LogRepetition = 'once' | 'twice';

/**
 * Gives every block of the node the transfers. With `times`, the node lists each log twice. `most` limits the blocks of
 * a search.
 */
export function serveTransfers(node: FakeNode, times: LogRepetition = 'once', most = Infinity) {
	node.contentsOf = () => TRANSFERS;
	node.answers.eth_getLogs = (call) => {
		const { fromBlock, toBlock } = call.params[0] as Record<string, string>;
		const last = toBlock === 'latest' ? node.height : Number(toBlock);
		if (last - Number(fromBlock) >= most)
			throw { code: -32602, message: `block range too large, max is ${most}` };
		const logs = node.truth(call) as unknown[];
		return times === 'once' ? logs : [...logs, ...logs];
	};
}

/**
 * Returns texts that identify logs, both from items and from the chain. A sign at the front tells whether a
 * reorganization removed the log.
 */
export const getLogNames = (logs: readonly IDataObject[]) =>
	logs.map(
		({ transactionHash, logIndex, removed }) =>
			`${removed ? '-' : '+'}${String(transactionHash)}/${Number(logIndex)}`,
	);

/** Returns the texts that identify all transfers between two blocks. */
export const getLogNamesBetween = (from: number, to: number, branch = 0) =>
	Array.from({ length: to - from + 1 }, (_, at) =>
		new EvmChain(() => TRANSFERS).logsIn(from + at, branch),
	).flatMap(getLogNames);

/** Returns the texts that identify logs after a reorganization removed them. The removed logs come in reverse order. */
export const asRemoved = (names: readonly string[]) =>
	[...names].reverse().map((name) => name.replace('+', '-'));

/** An account that sends a payment to itself in every block. */
export const TRACED_ADDRESS = deposit(3);

/** Its payment. */
export const TRACES: BlockContents = {
	traces: [
		{
			transactionPosition: 0,
			traceAddress: [],
			type: 'call',
			action: { from: TRACED_ADDRESS, to: TRACED_ADDRESS, value: '0x1', callType: 'call' },
			result: { gasUsed: '0x1' },
		},
	],
};
