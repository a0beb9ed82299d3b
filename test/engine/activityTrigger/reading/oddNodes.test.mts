import type { PollResult } from '../../../harness/poll.mts';
import { buildHash, EvmChain } from '../../../harness/evmChain.mts';
import { TRACED_ADDRESS, TRACES } from '../../../harness/fakeChain.mts';
import { createFakeWorld, payments, WATCHING } from '../support/world.mts';

const { node, active } = createFakeWorld();
const options = { maxRetries: 0 };

const traced = new EvmChain(() => TRACES);
const traceIn = (number: number, branch = 0) => traced.tracesIn(number, branch)[0];

const hashesOf = (...polls: PollResult[]) =>
	polls.flatMap(({ items }) => items.map(({ hash, blockHash }) => hash ?? blockHash));

describe('of two nodes behind one address, on two branches', () => {
	test('a block is emitted again when the one that replaces it is met', async () => {
		node.height = 9;
		const workflow = await active({ event: 'newBlock', options });
		node.height = 10;
		const before = await workflow.poll();
		node.reorganize(10, 11);
		// Block 10 comes from a lagging node, which still has the block from before the reorganization.
		node.answers.eth_getBlockByNumber = (call) =>
			Number(call.params[0]) === 10 ? node.buildBlock(10, 0) : node.truth(call);
		const torn = await workflow.poll();
		node.answers = {};
		node.height = 12;
		const after = await workflow.poll();
		expect(hashesOf(before)).toEqual([buildHash(10)]);
		expect(hashesOf(torn, after)).toEqual([10, 11, 12].map((number) => buildHash(number, 1)));
		expect(after.items.at(-1)?.reorganized).toBe(false);
	});

	test('activity of a block that is not on the chain is not emitted', async () => {
		const workflow = await active({ ...WATCHING, simplify: false, options });
		node.height = 12;
		node.answers.trace_filter = () => [traceIn(11, 1)];
		const { items, error } = await workflow.poll();
		expect(items).toEqual([]);
		expect(error?.message).toMatch(
			/^The trigger must read the blocks again: the chain kept replacing them/,
		);
		node.height = 13;
		node.answers = {};
		node.contentsOf = (number) => (number === 11 ? TRACES : {});
		expect(hashesOf(await workflow.poll())).toEqual([buildHash(11)]);
	});
});

test('a node that is more than a minute behind what was read fails the poll, and nothing is lost', async () => {
	node.height = 200;
	const workflow = await active({ event: 'newBlock', options });
	node.height = 141;
	expect((await workflow.poll()).error).toBeUndefined();
	node.height = 140;
	const { items, error } = await workflow.poll();
	expect(items).toEqual([]);
	expect(error?.message).toMatch(
		/^The chain node lacks 60 blocks that it had before. Its last block is 140. Nothing is lost/,
	);
	node.height = 201;
	expect(hashesOf(await workflow.poll())).toEqual([buildHash(201)]);
});

const OTHER = `0x${'2'.repeat(40)}`;
const reward = (value: string) => ({
	...traceIn(11),
	transactionHash: null,
	transactionPosition: null,
	type: 'reward',
	action: { author: TRACED_ADDRESS, rewardType: 'block', value },
});

const unplaced = (from: string, to: string, value: string) => ({
	...traceIn(11),
	traceAddress: undefined,
	action: { from, to, value, callType: 'call' },
});

test.each<[string, object[]]>([
	['two rewards of a block', [reward('0x1'), reward('0x2')]],
	[
		'two calls of a transaction that do not say where in it they were',
		[unplaced(TRACED_ADDRESS, OTHER, '0x1'), unplaced(OTHER, TRACED_ADDRESS, '0x2')],
	],
])('%s are both emitted, once', async (_what, traces) => {
	const workflow = await active(WATCHING);
	node.height = 11;
	node.answers.trace_filter = () => traces;
	const { items, error } = await workflow.poll();
	expect(error).toBeUndefined();
	expect(payments(items)).toEqual(['+1', '+2']);
	expect((await workflow.poll()).items).toEqual([]);
});
