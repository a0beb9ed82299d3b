import { type Answer, buildBlock, type Call, type FakeNode } from '../../../harness/fakeNode.mts';
import { numberToHex, upTo } from './scene.mts';

/** Makes a node answer for its blocks and their logs, up to its height; each block has so many logs. */
export function chainOf(node: FakeNode, logs = 1) {
	const logsIn = (number: number) =>
		upTo(logs - 1, logs).map((index) => ({
			blockNumber: numberToHex(number),
			blockHash: buildBlock(number, node.fork).hash,
			logIndex: numberToHex(index),
			topics: ['0xaa'],
			data: '0x',
		}));
	return {
		eth_getBlockByNumber: node.block,
		eth_getLogs: (call) => {
			const fitting = fittingTo(call);
			return blocksAsked(call, node)
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
export function blocksAsked({ params: [filter] }: Call, { height, fork }: FakeNode) {
	const { fromBlock, toBlock, blockHash } = filter as Record<string, string>;
	const all = upTo(height, height + 1);
	return blockHash
		? all.filter((number) => buildBlock(number, fork).hash === blockHash)
		: all.slice(Number(fromBlock), Number(toBlock) + 1);
}

/** Counts the calls of this method. */
export const asked = (node: FakeNode, method: string) =>
	node.calls.filter((call) => call.method === method).length;
