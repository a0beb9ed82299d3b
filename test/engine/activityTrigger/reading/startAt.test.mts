import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { TOKEN_ADDRESS, TRANSFERS } from '../../../harness/fakeChain.mts';
import { watchingKey } from '../../../harness/accountKey.mts';
import { createFakeWorld } from '../support/world.mts';

/**
 * These tests check a trigger that begins in the past: it must read all blocks from there on, without a gap at the
 * present.
 */

const { node, workflow } = createFakeWorld();
const NOW = Math.floor(Date.now() / 1000);
/** The chain has a block each hour. The latest block, with the number 40, is half an hour old. */
const timeOf = (number: number) => NOW - (40.5 - number) * 3_600;
const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString();

beforeEach(() => {
	node.height = 40;
	node.contentsOf = (number) => ({ ...TRANSFERS, time: timeOf(number) });
});

const beginning = (startAt: unknown, more: INodeParameters = {}): INodeParameters => ({
	event: 'newBlock',
	...more,
	options: { startAt, maxBlocksPerPoll: 7, maxRetries: 0, ...(more.options as object) } as never,
});

const receiving = (startAt: number, firstIndex: number, count = 10) =>
	beginning(startAt, {
		event: 'tokenTransfer',
		tokens: TOKEN_ADDRESS,
		...watchingKey(count),
		firstIndex,
	});

const numbersIn = (items: readonly IDataObject[]) =>
	items.map(({ number, blockNumber }) => Number(number ?? blockNumber));
/** Lists the block numbers of the items, each only once, although a block may have several items. */
const blocksIn = (items: readonly IDataObject[]) => [...new Set(numbersIn(items))];
const between = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Polls until no items come. n8n is restarted before each poll. */
async function readOn(parameters: INodeParameters, saved?: string) {
	let life = workflow(parameters, { saved });
	expect(await life.activate()).toEqual({ items: [], error: undefined });
	const numbers: number[] = [];
	for (let isOver = false; !isOver; life = workflow(parameters, { saved: life.saved() })) {
		const { items, error } = await life.poll();
		expect(error).toBeUndefined();
		expect(items.length).toBeLessThanOrEqual(7 * 5);
		numbers.push(...numbersIn(items));
		isOver = items.length === 0;
	}
	return { numbers, life };
}

test.each<[unknown, number]>([
	[33, 33],
	['0x21', 33],
	[40, 40],
	[0, 0],
	['12 blocks back', 28],
	['1 block back', 39],
	['500 blocks back', 0],
	['1 day back', 17],
	[isoTime(timeOf(31)), 31],
	[isoTime(timeOf(31) + 1), 32],
])(
	'%p begins with block %i; each comes once, over several lives, and then the next',
	async (startAt, first) => {
		const { numbers, life } = await readOn(beginning(startAt));
		expect(numbers).toEqual(between(first, 40));
		node.mine(2);
		expect(numbersIn((await life.poll()).items)).toEqual([41, 42]);
	},
);

test('with confirmations, it is counted from the last block that counts', async () => {
	const parameters = beginning('4 blocks back', { options: { confirmations: 3 } });
	expect((await readOn(parameters)).numbers).toEqual(between(33, 37));
});

test('transfers to an account key begin there, too', async () => {
	const parameters = { event: 'tokenTransfer', tokens: TOKEN_ADDRESS, ...watchingKey() };
	const { numbers } = await readOn(beginning(30, parameters));
	expect([...new Set(numbers)]).toEqual(between(30, 40));
	expect(new Set(numbers.map((one) => numbers.filter((other) => other === one).length)).size).toBe(
		1,
	);
});

test('a time without a zone is in that of the workflow', async () => {
	const local = isoTime(timeOf(31) + 5.5 * 3_600).replace(/\.000Z$/, '');
	const life = workflow(beginning(local), {}, { timezone: 'Asia/Kolkata' });
	await life.activate();
	expect(numbersIn((await life.poll()).items)[0]).toBe(31);
});

test('an expression may give a moment of n8n', async () => {
	const life = workflow(beginning('={{ $now.minus({ hours: 5 }) }}'));
	await life.activate();
	expect(numbersIn((await life.poll()).items)[0]).toBe(36);
});

test('until the chain has blocks that count, nothing has begun', async () => {
	const parameters = beginning('5 blocks back', { options: { confirmations: 50 } });
	const life = workflow(parameters);
	expect(await life.activate()).toEqual({ items: [], error: undefined });
	node.mine(20);
	expect((await life.poll()).items).toEqual([]);
	expect(numbersIn((await life.poll()).items)).toEqual(between(5, 10));
});

describe('a workflow that was edited', () => {
	async function edit(before: INodeParameters, after: INodeParameters) {
		const { life } = await readOn(before);
		const saved = life.saved();
		node.mine(3);
		const edited = workflow(after, { saved });
		return { edited, items: (await edited.activate()).items };
	}

	test.each<[string, INodeParameters, INodeParameters, number]>([
		['to another start', beginning(30), beginning(20), 20],
		['to a start', beginning(''), beginning(20), 20],
		['to another account, with a start', receiving(30, 1), receiving(30, 0), 30],
		['to fewer addresses, with a start', receiving(30, 0, 9), receiving(30, 0, 8), 30],
		['to another event, with a start', beginning(30, { event: 'nftTransfer' }), beginning(30), 30],
	])('%s begins there anew', async (_what, before, after, first) => {
		const { edited, items } = await edit(before, after);
		expect(items).toEqual([]);
		expect(blocksIn((await edited.poll()).items)).toEqual(between(first, first + 6));
	});

	test.each<[string, INodeParameters, INodeParameters]>([
		['without its start', beginning(30), beginning('')],
		['to more addresses, with its start', receiving(30, 0, 8), receiving(30, 0, 9)],
		['with its start', beginning(30), beginning(' 30 ')],
		[
			'with an expression whose value moves',
			beginning('={{ Math.floor(Math.random() * 9) }}'),
			beginning('={{ Math.floor(Math.random() * 9) }}'),
		],
	])('%s goes on where it stands', async (_what, before, after) => {
		const { items } = await edit(before, after);
		expect(blocksIn(items)).toEqual([41, 42, 43]);
	});
});

test('after a reorganization, what it replaced comes again', async () => {
	const { life } = await readOn(beginning(38));
	node.reorganize(39, 41);
	expect(numbersIn((await life.poll()).items)).toEqual([39, 40, 41]);
});

test.each<[unknown, RegExp]>([
	[41, /'Start At' lies in the future: the latest block is 40\./],
	['2999-01-01T00:00:00Z', /lies in the future: the latest block is 40, of 20/],
	['soon', /'Options > Start At' must be the number of a block, how far back/],
	[-1, /'Options > Start At' must be/],
])('%p is refused when the workflow is activated', async (startAt, message) => {
	await expect(workflow(beginning(startAt)).activate()).rejects.toThrow(message);
});
