import type { JsonObject } from '../../../../nodes/core/values/json';
import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import { NodeLagging } from '../../../../nodes/core/errors/nodeLagging';
import { parseHeader, type Header } from '../../../../nodes/core/evm/blocks';
import { ReorgDuringRead } from '../../../../nodes/core/chain/blocks';
import type { RpcReader } from '../../../../nodes/core/chain/reader';
import {
	getStoredProofs,
	PROOF_STATE,
	restoreProofs,
} from '../../../../nodes/core/evm/follow/logProofs';
import { LogsLate, ProvenLogs } from '../../../../nodes/core/evm/follow/provenLogs';
import {
	buildBloom,
	buildHash,
	EvmChain,
	withLogs,
	type Block,
	type Log,
	type LogContents,
} from '../../../harness/evmChain.mts';
import { createCall } from '../../support/chains.mts';
import { createShared } from '../../../../nodes/core/net/pacing/shared';

const address = (digit: string) => `0x${digit.repeat(40)}`;
const [OURS, THEIRS] = [address('1'), address('2')];
/** Gives the latest block of a chain that has a block every second. */
const headAt = (number: number, time = number) => ({ number, time });
const refused = () => {
	throw new RequestFailure('no such method');
};

type Filter = Readonly<Record<string, unknown>>;

/**
 * Models a chain whose blocks have one log of each given address. Its node can lie about its index, its blooms and
 * its receipts.
 */
function chain(contents: Readonly<Record<number, readonly string[]>>, hasBlooms = true) {
	const model = new EvmChain((number) => {
		const addresses = contents[number];
		return addresses ? withLogs(...addresses.map((address) => ({ address }))) : {};
	});
	model.height = 10_000;
	const calls: string[] = [];
	const doubts: number[] = [];
	const node = {
		/** The last block whose logs the node has indexed. */
		indexed: Infinity,
		/** The blocks for which the node gives an empty bloom filter. */
		blank: [] as number[],
		/** These functions give false receipts, or false logs of a block. */
		receipts: undefined as (() => unknown) | undefined,
		blockLogs: undefined as ((filter: Filter) => unknown) | undefined,
	};
	const isBlank = (number: number) => !hasBlooms || node.blank.includes(number);
	const hideBloom = (block: Block) => ({
		...block,
		...(isBlank(Number(block.number)) && { logsBloom: buildBloom([]) }),
	});

	const call = createCall((method, params) => {
		calls.push(method);
		const [asked = {}] = params as readonly Filter[];
		if (method === 'eth_getBlockReceipts' && node.receipts) return node.receipts();
		if (asked.blockHash && node.blockLogs) return node.blockLogs(asked);
		const answer = model.call(method, params);
		if (method === 'eth_getBlockByNumber') return hideBloom(answer as Block);
		return method === 'eth_getLogs'
			? (answer as Log[]).filter(({ blockNumber }) => Number(blockNumber) <= node.indexed)
			: answer;
	});

	const reader = (): RpcReader => ({ call, shared: createShared() });
	const logsBy = (by: RpcReader) =>
		new ProvenLogs(by, { addresses: [OURS], topics: [] }, (block) => doubts.push(block));
	const first = reader();
	return {
		logs: logsBy(first),
		/** Returns a reader for the next poll or connection. It begins with the state that the present reader stored. */
		next: () => {
			const second = reader();
			const { proofs } = JSON.parse(JSON.stringify(getStoredProofs(first.shared(PROOF_STATE))));
			restoreProofs(second.shared(PROOF_STATE), proofs);
			return logsBy(second);
		},
		node,
		calls,
		doubts,
		logsIn: (number: number) => model.logsIn(number),
		headerOf: (number: number) => parseHeader(hideBloom(model.buildBlock(number))),
	};
}

const numbers = (found: readonly JsonObject[]) => found.map((log) => Number(log.blockNumber));

describe('of the head', () => {
	test('logs that are there need no proof', async () => {
		const { logs, calls, logsIn, headerOf } = chain({ 5: [OURS] });
		expect(await logs.readInBlock(headerOf(5))).toEqual(logsIn(5));
		expect(calls).toHaveLength(1);
	});

	test('that there are none is proven by the bloom', async () => {
		const { logs, calls, headerOf } = chain({ 5: [THEIRS] });
		expect(await logs.readInBlock(headerOf(5))).toEqual([]);
		expect(calls).toHaveLength(1);
	});

	/**
	 * Gives a header with a bloom filter that matches all logs, so that the block may have logs of the watched
	 * addresses.
	 */
	const doubtful = (header: Header, all: readonly LogContents[]) => ({
		...header,
		json: { ...header.json, logsBloom: buildBloom(all) },
	});

	test('where the bloom leaves doubt, all logs of the block prove it', async () => {
		const { logs, node, calls, logsIn, headerOf } = chain({ 5: [THEIRS] });
		const naming = { ...logsIn(5)[0], address: THEIRS, topics: [OURS] };
		node.blockLogs = () => [naming];
		node.receipts = refused;
		expect(await logs.readInBlock(doubtful(headerOf(5), [naming]))).toEqual([]);
		expect(calls.length).toBeLessThanOrEqual(2);
	});

	test('where these do not fit the bloom, the receipts prove it', async () => {
		const { logs, calls, headerOf } = chain({ 5: [THEIRS] });
		const header = doubtful(headerOf(5), [{ address: THEIRS }, { address: OURS }]);
		expect(await logs.readInBlock(header)).toEqual([]);
		expect(calls.length).toBeLessThanOrEqual(3);
	});

	test('logs that an index does not have yet are taken from the receipts', async () => {
		const { logs, node, headerOf } = chain({ 5: [THEIRS, OURS] });
		node.indexed = 4;
		expect(numbers(await logs.readInBlock(headerOf(5)))).toEqual([5]);
	});

	test('without receipts, they are waited for', async () => {
		const { logs, node, headerOf } = chain({ 5: [OURS] });
		node.indexed = 4;
		node.receipts = refused;
		const failure = await logs.readInBlock(headerOf(5)).catch((cause: unknown) => cause);
		expect(failure).toBeInstanceOf(NodeLagging);
		expect(failure).toMatchObject({
			block: 5,
			message: 'The chain node does not have block 5 with all its logs yet',
		});
		node.indexed = 5;
		expect(numbers(await logs.readInBlock(headerOf(5)))).toEqual([5]);
	});

	test('a method that an HTTP status refuses is one that the node does not have', async () => {
		const { logs, node, headerOf } = chain({ 5: [OURS] });
		node.receipts = () => {
			throw new RequestFailure('The service refused the request', { httpCode: 405 });
		};
		node.indexed = 4;
		await expect(logs.readInBlock(headerOf(5))).rejects.toBeInstanceOf(NodeLagging);
	});

	test.each<[string, unknown]>([
		['null', null],
		['none', []],
	])('receipts that are not there yet (%s) prove nothing', async (_what, receipts) => {
		const { logs, node, headerOf } = chain({ 5: [OURS] });
		node.indexed = 4;
		node.receipts = () => receipts;
		await expect(logs.readInBlock(headerOf(5))).rejects.toBeInstanceOf(NodeLagging);
	});

	test('a failure of another kind is passed on', async () => {
		const { logs, node, headerOf } = chain({ 5: [OURS] });
		const lost = new RequestFailure('lost', { retry: { because: 'lost' } });
		node.blockLogs = (filter) => {
			if (filter.address) return [];
			throw lost;
		};
		await expect(logs.readInBlock(headerOf(5))).rejects.toBe(lost);
	});
});

describe('on a chain whose blooms are all zeros', () => {
	test('a block without transactions has no logs', async () => {
		const { logs, calls, headerOf } = chain({}, false);
		const emitted = headerOf(5);
		// The second header has no transactions, like a header in the message of a subscription.
		const { transactions: _, ...json } = emitted.json;
		for (const header of [emitted, { ...emitted, json }]) {
			expect(await logs.readInBlock(header)).toEqual([]);
		}
		expect(calls).toHaveLength(2);
	});

	test('receipts prove what there is, and what there is not', async () => {
		const { logs, node, headerOf } = chain({ 5: [OURS], 6: [THEIRS] }, false);
		node.indexed = 4;
		expect(numbers(await logs.readInBlock(headerOf(5)))).toEqual([5]);
		expect(await logs.readInBlock(headerOf(6))).toEqual([]);
	});

	describe('and whose receipts cannot be asked for', () => {
		test('an index that shows any log of a block has all of them', async () => {
			const { logs, node, calls, headerOf } = chain({ 5: [THEIRS], 6: [THEIRS, OURS] }, false);
			node.receipts = refused;
			expect(await logs.readInBlock(headerOf(5))).toEqual([]);
			expect(calls.length).toBeLessThanOrEqual(3);
			expect(numbers(await logs.readInBlock(headerOf(6)))).toEqual([6]);
		});

		test('so has one that shows a log of a later block in the same answer', async () => {
			const { logs, node, headerOf } = chain({ 5: [], 6: [OURS] }, false);
			node.receipts = refused;
			await expect(logs.readInBlock(headerOf(5))).rejects.toMatchObject({ isProvable: false });
			expect(numbers(await logs.readBetween({ from: 5, to: 6 }, headAt(6)))).toEqual([6]);
		});

		test('otherwise it is waited for, and believed a minute later, without a doubt', async () => {
			const { logs, node, doubts } = chain({ 5: [OURS], 6: [THEIRS] }, false);
			node.receipts = refused;
			node.indexed = 4;
			for (const head of [headAt(6), headAt(30), headAt(65)]) {
				const failure = await logs.readBetween({ from: 5, to: 6 }, head).catch((cause) => cause);
				expect(failure).toBeInstanceOf(LogsLate);
				expect(failure).toMatchObject({ block: 5, isProvable: false });
			}
			expect(await logs.readBetween({ from: 5, to: 6 }, headAt(67))).toEqual([]);
			expect(doubts).toEqual([]);
		});
	});

	test('one bloom that says something is enough to believe the others', async () => {
		const { logs, node, headerOf } = chain({ 5: [THEIRS], 6: [] });
		node.receipts = refused;
		await expect(logs.readInBlock(headerOf(6))).rejects.toBeInstanceOf(NodeLagging);
		await logs.readInBlock(headerOf(5));
		expect(await logs.readInBlock(headerOf(6))).toEqual([]);
	});
});

test('blooms that leave out what is there are not believed any more', async () => {
	const { logs, node, headerOf } = chain({ 5: [OURS], 6: [THEIRS] });
	const header = headerOf(5);
	const logsBloom = buildBloom([{ address: THEIRS }]);
	await logs.readInBlock({ ...header, json: { ...header.json, logsBloom } });
	node.receipts = () => null;
	node.indexed = 5;
	await expect(logs.readInBlock(headerOf(6))).rejects.toBeInstanceOf(NodeLagging);
});

describe('where only some blooms are blank', () => {
	const mixed = async () => {
		const all = chain({ 4: [OURS], 5: [THEIRS], 6: [OURS], 7: [OURS], 8: [] });
		all.node.blank = [6, 7];
		await all.logs.readInBlock(all.headerOf(5));
		return all;
	};

	test('a blank one is believed until a log is seen in such a block, and never again', async () => {
		const { logs, node, next, headerOf } = await mixed();
		node.indexed = 5;
		expect(await logs.readInBlock(headerOf(6))).toEqual([]);
		node.indexed = 6;
		expect(numbers(await logs.readInBlock(headerOf(6)))).toEqual([6]);
		for (const one of [logs, next()]) {
			expect(numbers(await one.readInBlock(headerOf(7)))).toEqual([7]);
			await one.readInBlock(headerOf(5));
			expect(numbers(await one.readInBlock(headerOf(7)))).toEqual([7]);
		}
	});

	test('it costs one call for each blank one with gas used, and none for the others', async () => {
		const { logs, calls, headerOf } = await mixed();
		await logs.readInBlock(headerOf(6));
		calls.length = 0;
		expect(await logs.readInBlock(headerOf(8))).toEqual([]);
		expect(calls.length).toBeLessThanOrEqual(2);
		calls.length = 0;
		expect(await logs.readInBlock(headerOf(5))).toEqual([]);
		expect(await logs.readInBlock(headerOf(9))).toEqual([]);
		expect(calls).toHaveLength(2);
	});
});

describe('of a range', () => {
	test('young blocks are proven, one by one', async () => {
		const { logs, node, calls } = chain({ 5: [OURS], 6: [THEIRS], 7: [OURS], 8: [OURS] });
		node.indexed = 7;
		node.receipts = refused;
		await expect(logs.readBetween({ from: 5, to: 8 }, headAt(8))).rejects.toMatchObject({
			block: 8,
		});
		expect(numbers(await logs.readBetween({ from: 5, to: 7 }, headAt(8)))).toEqual([5, 7]);
		expect(calls.filter((method) => method === 'eth_getLogs').length).toBeLessThanOrEqual(3);
	});

	test('old blocks need no proof', async () => {
		const { logs, calls } = chain({ 5: [OURS], 6: [THEIRS] });
		expect(numbers(await logs.readBetween({ from: 1, to: 84 }, headAt(145)))).toEqual([5]);
		expect(calls.length).toBeLessThanOrEqual(2);
	});

	test('nor do old ones that are read with young ones', async () => {
		const { logs, node, doubts } = chain({ 5: [OURS] });
		node.indexed = 0;
		node.receipts = () => null;
		expect(await logs.readBetween({ from: 1, to: 30 }, headAt(40, 80))).toEqual([]);
		expect(doubts).toEqual([]);
	});

	test.each<[string, number, number, number]>([
		['a block', 5, 20, 65],
		['a block of a slow chain', 5, 20, 500],
		['a block of a fast chain', 5, 500, 65],
	])('%s is young for 16 blocks, and for a minute', async (_what, block, number, time) => {
		const { logs, node } = chain({ [block]: [OURS] });
		node.indexed = 0;
		const range = { from: 1, to: block };
		expect(numbers(await logs.readBetween(range, headAt(number, time)))).toEqual([block]);
		expect(await logs.readBetween(range, headAt(number + 1, time + 500))).toEqual([]);
		expect(await logs.readBetween(range, headAt(number + 500, time + 1))).toEqual([]);
	});

	test('no more than 1,200 blocks are young, whatever their times are', async () => {
		const { logs, node, calls } = chain({ 50: [OURS] });
		node.indexed = 0;
		const range = { from: 1, to: 100 };
		expect(await logs.readBetween(range, headAt(1_300, 0))).toEqual([]);
		expect(calls).toHaveLength(1);
		expect(await logs.readBetween(range, headAt(1_250, 0))).toEqual([]);
		expect(calls.filter((method) => method === 'eth_getBlockReceipts')).toEqual([]);
		expect(numbers(await logs.readBetween(range, headAt(1_249, 0)))).toEqual([50]);
	});

	test('a block that was never proven is taken in the end, and not in silence', async () => {
		const { logs, node, doubts } = chain({ 5: [OURS] });
		node.indexed = 4;
		node.receipts = refused;
		const five = { from: 5, to: 5 };
		await expect(logs.readBetween(five, headAt(5))).rejects.toBeInstanceOf(NodeLagging);
		await expect(logs.readBetween(five, headAt(65))).rejects.toBeInstanceOf(NodeLagging);
		expect(doubts).toEqual([]);
		expect(await logs.readBetween(five, headAt(66))).toEqual([]);
		expect(await logs.readBetween(five, headAt(70))).toEqual([]);
		expect(doubts).toEqual([5]);
	});

	test('a block that was late is proven by the next poll or connection, however much later', async () => {
		const { logs, next, node, doubts } = chain({ 5: [OURS], 8: [OURS] });
		node.indexed = 4;
		node.receipts = () => null;
		const range = { from: 1, to: 8 };
		await expect(logs.readBetween(range, headAt(8))).rejects.toMatchObject({ block: 5 });
		node.receipts = undefined;
		expect(numbers(await next().readBetween(range, headAt(9_000)))).toEqual([5, 8]);
		node.receipts = () => null;
		expect(await next().readBetween(range, headAt(9_000))).toEqual([]);
		expect(doubts).toEqual([5, 8]);
	});

	test('logs of another branch are not taken', async () => {
		const { logs, node, logsIn, headerOf } = chain({ 5: [OURS] });
		const other = { ...headerOf(5), hash: buildHash(5, 1) };
		node.blockLogs = () => logsIn(5);
		await expect(logs.readInBlock(other)).rejects.toBeInstanceOf(ReorgDuringRead);
	});
});
