import type { Answer } from '../../../harness/fakeNode.mts';
import { createFakeWorld } from '../support/world.mts';

/**
 * These tests have a node that refuses, lags, answers nonsense or is on another branch. A missing value must not
 * count as zero.
 */

const { node, workflow } = createFakeWorld();
const WATCHED = `0x${'79'.repeat(20)}`;
const ETHER = 10n ** 18n;

const toHex = (value: bigint | number) => `0x${value.toString(16)}`;
const balanceOf =
	(ether: bigint): Answer =>
	() =>
		toHex(ether * ETHER);

const serve = (balance: Answer, others: Readonly<Record<string, Answer>> = {}) =>
	node.setAnswers({ eth_getBalance: balance, ...others });

/** Creates a workflow that has read a balance of 2 coins, and starts when the balance falls below 1. */
async function begin(options: object = {}) {
	serve(balanceOf(2n));
	const polled = workflow({
		event: 'value',
		address: WATCHED,
		threshold: '1',
		options: { maxRetries: 0, batchSize: 1, ...options },
	});
	expect(await polled.activate()).toEqual({ items: [], error: undefined });
	node.mine();
	return polled;
}

const refuse = (message: string, code = -32000): never => {
	throw { code, message };
};

test.each([
	['an empty answer', () => '0x'],
	['null', () => null],
	['a text', () => 'none'],
	['an object', () => ({})],
	['a number that is none', () => NaN],
	['a balance below 0', () => '-0x1'],
	['a refusal', () => refuse('missing trie node')],
	['a revert', () => refuse('execution reverted', 3)],
] satisfies Array<[string, Answer]>)(
	'%s in place of a balance fails the poll, and keeps the state',
	async (_what, answer) => {
		const polled = await begin();
		const before = polled.inMemory();
		serve(answer);
		const { items, error } = await polled.poll();
		expect(items).toEqual([]);
		expect(error).toBeDefined();
		expect(polled.inMemory()).toBe(before);
		serve(balanceOf(0n));
		expect((await polled.poll()).items).toMatchObject([{ value: '0', previous: '2' }]);
	},
);

test('a block is named by its hash, and by its number where the node takes no hash', async () => {
	const polled = await begin();
	const asked: unknown[] = [];
	serve(({ params: [, block] }) => {
		asked.push(block);
		return typeof block === 'string' ? toHex(0) : refuse('invalid argument 1: hex string', -32602);
	});
	expect((await polled.poll()).items).toMatchObject([{ value: '0' }]);
	expect(asked).toEqual([{ blockHash: node.buildBlock(node.height).hash }, toHex(node.height)]);
});

test('a block that was replaced while it was read by number is no reading', async () => {
	const polled = await begin();
	serve(({ params: [, block] }) => {
		if (typeof block !== 'string') return refuse('invalid argument', -32602);
		node.reorganize(node.height);
		return toHex(0);
	});
	expect(await polled.poll()).toEqual({ items: [], error: undefined });
	serve(balanceOf(0n));
	expect((await polled.poll()).items).toMatchObject([{ value: '0' }]);
});

test.each(['header not found', 'unknown block', 'block is out of range', 'Block not found'])(
	'a node behind the head that another one told (%s) is no reading, at once',
	async (words) => {
		const polled = await begin();
		serve(() => refuse(words));
		expect(await polled.poll()).toEqual({ items: [], error: undefined });
		serve(balanceOf(0n));
		expect((await polled.poll()).items).toMatchObject([{ value: '0' }]);
	},
);

describe('a node that is behind the last reading', () => {
	const minutes = (count: number) =>
		jest.spyOn(Date, 'now').mockReturnValue(realNow() + count * 60_000);
	const realNow = Date.now.bind(Date);
	afterEach(() => void jest.restoreAllMocks());

	test('gives none, fails the poll after ten minutes, and goes on where it was', async () => {
		const polled = await begin();
		serve(balanceOf(0n));
		node.height -= 2;
		expect(await polled.poll()).toEqual({ items: [], error: undefined });
		minutes(9);
		expect(await polled.poll()).toEqual({ items: [], error: undefined });
		minutes(11);
		const { items, error } = await polled.poll();
		expect(items).toEqual([]);
		expect(error?.message).toMatch(
			/^For 1[01] minutes, the chain node has lacked blocks that it had before/,
		);
		node.height += 2;
		expect((await polled.poll()).items).toMatchObject([{ value: '0', previous: '2' }]);
		node.height -= 2;
		expect(await polled.poll()).toEqual({ items: [], error: undefined });
	});

	test('fails at once where its last block is ten minutes older', async () => {
		node.contentsOf = (number) => ({ time: number * 700 });
		const polled = await begin();
		node.height -= 2;
		expect((await polled.poll()).error?.message).toMatch(
			/^For \d+ minutes, the chain node has lacked blocks/,
		);
	});

	test('is not late where more confirmations were chosen: the trigger waits until they are there', async () => {
		node.contentsOf = (number) => ({ time: number * 700 });
		const first = await begin();
		await first.poll();
		serve(balanceOf(0n));
		const second = workflow(
			{ event: 'value', address: WATCHED, threshold: '1', options: { confirmations: 3 } },
			{ saved: first.inMemory() },
		);
		expect(await second.activate()).toEqual({ items: [], error: undefined });
		minutes(11);
		expect(await second.poll()).toEqual({ items: [], error: undefined });
		node.mine(3);
		expect((await second.poll()).items).toEqual([]);
		node.mine();
		expect((await second.poll()).items).toMatchObject([{ value: '0', previous: '2' }]);
	});

	test('a head whose block cannot be read is no reading', async () => {
		const polled = await begin({ confirmations: 2 });
		serve(balanceOf(0n), {
			eth_getBlockByNumber: (call) =>
				call.params[0] === toHex(node.height - 2) ? null : node.truth(call),
		});
		expect(await polled.poll()).toEqual({ items: [], error: undefined });
	});
});

test('confirmations: the value is that of the block that so many follow', async () => {
	node.height = 20;
	const polled = workflow({
		event: 'value',
		address: WATCHED,
		threshold: '1',
		options: { confirmations: 5 },
	});
	serve(({ params: [, block] }) => {
		const { blockHash } = block as { blockHash: string };
		return toHex(blockHash === node.buildBlock(15).hash ? 0 : 2n * ETHER);
	});
	expect((await polled.activate()).items).toMatchObject([{ value: '0', blockNumber: 15 }]);
});

test('a chain that is too young for the confirmations has no reading yet', async () => {
	node.height = 3;
	const parameters = { event: 'value', address: WATCHED, threshold: '1' };
	const polled = workflow({ ...parameters, options: { confirmations: 5 } });
	serve(balanceOf(0n));
	expect(await polled.activate()).toEqual({ items: [], error: undefined });
	node.mine(3);
	expect((await polled.poll()).items).toMatchObject([{ value: '0', previous: null }]);
});

test('another chain begins anew', async () => {
	const polled = await begin();
	serve(balanceOf(0n));
	expect((await polled.poll()).items).toHaveLength(1);
	serve(balanceOf(0n), { eth_chainId: () => '0x5' });
	expect((await polled.poll()).items).toMatchObject([{ value: '0', previous: null }]);
});
