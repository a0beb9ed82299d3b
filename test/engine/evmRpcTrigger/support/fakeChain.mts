import { type Answer, buildBlock, type Call, type FakeNode } from '../../../harness/fakeNode.mts';
import { numberToHex, upTo } from './scene.mts';

/** A log of the fake chain. */
export const logOf = (number: number, index = 0, fork = Infinity) => ({
	blockNumber: numberToHex(number),
	blockHash: buildBlock(number, fork).hash,
	logIndex: numberToHex(index),
	topics: ['0xaa'],
	data: '0x',
});

interface Chain {
	/** The number of logs in each block. */
	readonly logs?: number;
	/** The first block of another branch. */
	readonly fork?: number;
}

/** Makes a node answer for its blocks and their logs, up to its height. */
export function chainOf(node: FakeNode, { logs = 1, fork = Infinity }: Chain = {}) {
	const logsIn = (number: number) =>
		upTo(logs - 1, logs).map((index) => logOf(number, index, fork));
	return {
		eth_getBlockByNumber: ({ params: [block] }) => {
			const number = block === 'latest' ? node.height : Number(block);
			return number > node.height ? null : buildBlock(number, fork);
		},
		eth_getLogs: (call) => {
			const fitting = fittingTo(call);
			return blocksAsked(call, node.height, fork)
				.flatMap(logsIn)
				.map((log) => ({ ...log, ...fitting }));
		},
	} satisfies Record<string, Answer>;
}

/** Returns the fields that make a log match the requested filter. */
function fittingTo({ params: [filter] }: Call) {
	const { address, topics } = filter as Record<string, readonly string[] | undefined>;
	return { ...(address && { address: address[0] }), ...(topics && { topics }) };
}

/** Lists the existing blocks whose logs are requested. */
export function blocksAsked({ params: [filter] }: Call, height: number, fork = Infinity) {
	const { fromBlock, toBlock, blockHash } = filter as Record<string, string>;
	const all = upTo(height, height + 1);
	return blockHash
		? all.filter((number) => buildBlock(number, fork).hash === blockHash)
		: all.slice(Number(fromBlock), Number(toBlock) + 1);
}

/** Counts the calls of this method. */
export const asked = (node: FakeNode, method: string) =>
	node.calls.filter((call) => call.method === method).length;
