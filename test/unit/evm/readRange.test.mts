import fc from 'fast-check';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { readRange, type RangeEnds } from '../../../nodes/core/evm/ranges';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import { createChain, collectAll } from '../support/chains.mts';
import { buildError, createLimitedNode, REFUSALS, type Refuse } from '../support/limitedNode.mts';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

const empty = (blocks: number) => Array<number>(blocks).fill(0);
const each = (blocks: number, count: number) => Array<number>(blocks).fill(count);
const { byBlocks, byResults } = REFUSALS;
const TOO_WIDE = buildError(-32602, 'block range too large, max is 100');
const nothing: Refuse = () => undefined;

describe('a range that the node takes', () => {
	test('is one request, with the names of blocks as they are', async () => {
		const node = createLimitedNode(each(5000, 1), nothing);
		expect(await node.read()).toEqual(node.all);
		expect(node.asked).toHaveLength(1);
	});

	test('that is empty, or the wrong way round, has nothing', async () => {
		const node = createLimitedNode(empty(10), nothing);
		expect(await node.read()).toEqual([]);
		expect(await node.read({ from: '0x5', to: '0x4' })).toEqual([]);
		expect(node.asked).toHaveLength(1);
	});
});

describe('5,000 blocks at a node that searches 100 at a time', () => {
	const counts = each(5000, 1);

	test.each([
		['says so', byBlocks(100), 51],
		['does not say so', byBlocks(100, 'block range is too large'), 55],
		['says something that is not true', byBlocks(100, 'block range too large, max is 4000'), 56],
		[
			'proposes a range for each',
			((from, to) =>
				to - from >= 100
					? buildError(-32600, `block range too wide, this should work: [${from}, ${from + 99}]`)
					: undefined) satisfies Refuse,
			51,
		],
	])('that %s are read whole, in order', async (_, refuse, requests) => {
		const node = createLimitedNode(counts, refuse);
		expect(await node.read()).toEqual(node.all);
		expect(node.asked).toHaveLength(requests);
	});

	test('are read only as far as a limit of results needs', async () => {
		const node = createLimitedNode(counts, byBlocks(100));
		expect(await node.read({}, 150)).toEqual(node.all.slice(0, 150));
		expect(node.asked.length).toBeLessThan(6);
	});

	test('are read at that pace at once by the next item of the run', async () => {
		const node = createLimitedNode(counts, byBlocks(100, 'block range is too large'));
		const memory = createShared();
		await node.read({}, undefined, memory);
		const before = node.asked.length;
		expect(await node.read({}, undefined, memory)).toEqual(node.all);
		expect(node.asked.length - before).toBe(50);
	});

	test('end where the chain ended when they were begun', async () => {
		let head = 4999;
		const search = async function* ({ from, to }: RangeEnds) {
			const last = to === 'latest' ? head : Number(to);
			if (last - Number(from) >= 100) throw rpcError('eth_getLogs', TOO_WIDE);
			yield await Promise.resolve(Array.from({ length: last - Number(from) + 1 }, () => ++head));
		};
		const chain = createChain(() => ({ number: `0x${head.toString(16)}` }));
		const found = collectAll(readRange(chain, search, { from: '0x0', to: 'latest' }));
		expect(await found).toHaveLength(5000);
	});

	test('are not read by a node that proposes one block less each time', async () => {
		const node = createLimitedNode(counts, (from, to) =>
			to - from >= 100
				? buildError(-32600, `block range too wide, this should work: [${from}, ${to - 1}]`)
				: undefined,
		);
		expect(await node.read()).toEqual(node.all);
		expect(node.asked.length).toBeLessThan(70);
	});
});

describe('a node that limits the results', () => {
	test('is asked for the full parts again, in smaller ones', async () => {
		const counts = empty(4096);
		for (let block = 1000; block < 1100; block++) counts[block] = 50;
		const node = createLimitedNode(counts, byResults(1000));
		expect(await node.read()).toEqual(node.all);
		expect(node.asked.length).toBeLessThan(100);
	});

	test('for one block says which it is, and what to do', async () => {
		const counts = empty(100);
		counts[42] = 2000;
		const failure: unknown = await createLimitedNode(counts, byResults(1000)).read().catch(String);
		expect(String(failure)).toMatch(/more than 1000 results/);
		const reason = await createLimitedNode(counts, byResults(1000))
			.read()
			.catch((thrown: RequestFailure) => thrown.description);
		expect(reason).toMatch(/Block 42 alone .* fewer addresses/);
	});
});

test('pages that came before a refusal are not given again', async () => {
	const search = async function* ({ from, to }: RangeEnds) {
		const length = Number(to) - Number(from) + 1;
		const numbers = Array.from({ length }, (_, at) => Number(from) + at);
		yield await Promise.resolve(numbers.slice(0, 3));
		if (length > 10) throw rpcError('trace_filter', TOO_WIDE);
		yield numbers.slice(3);
	};
	const chain = createChain(() => null);
	const found = await collectAll(readRange(chain, search, { from: '0x1', to: '0x32' }));
	expect(found).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
});

test('a node that takes one block at a time is asked about each once', async () => {
	const node = createLimitedNode(each(200, 1), byBlocks(1, 'block range is too large'));
	expect(await node.read()).toEqual(node.all);
	expect(node.asked.length).toBeLessThan(210);
});

describe('lost answers', () => {
	const lost = () =>
		new RequestFailure('The service did not answer', { retry: { because: 'lost' } });

	test('of a large range are asked for in parts', async () => {
		const node = createLimitedNode(each(1000, 1), (from, to) =>
			to - from >= 300 ? lost() : undefined,
		);
		expect(await node.read()).toEqual(node.all);
	});

	test('of a node that is down are not asked for on and on', async () => {
		const node = createLimitedNode(each(100_000, 0), lost);
		await expect(node.read()).rejects.toThrow('The service did not answer');
		expect(node.asked.length).toBeLessThan(7);
	});

	test('now and then, where no range can be made smaller, are asked for again', async () => {
		const known = new Set<number>();
		const node = createLimitedNode(each(100, 1), (from, to) => {
			if (to > from) return buildError(-32602, 'block range too large, max is 1');
			if (from % 9 !== 4 || known.has(from)) return undefined;
			known.add(from);
			return lost();
		});
		expect(await node.read()).toEqual(node.all);
	});

	test('of a range of one block end it', async () => {
		const node = createLimitedNode(each(100, 1), lost);
		await expect(node.read({ from: '0x5', to: '0x5' })).rejects.toThrow('did not answer');
		expect(node.asked).toHaveLength(1);
	});

	test('and refusals of a range whose ends turn out the wrong way round find nothing', async () => {
		const node = createLimitedNode(each(10, 1), lost);
		expect(await node.read({ from: '0x20' })).toEqual([]);
	});

	/** Reads ranges in two pages each. The answer of the second page is lost when `isLost` says so. */
	const paged = async (isLost: (blocks: number) => boolean) => {
		const asked: number[] = [];
		const search = async function* ({ from, to }: RangeEnds) {
			const blocks = to === 'latest' ? Infinity : Number(to) - Number(from) + 1;
			asked.push(blocks);
			yield await Promise.resolve([`${from} to ${to}`]);
			if (isLost(blocks)) throw lost();
			yield [];
		};
		const chain = createChain(() => ({ number: '0xffffff' }));
		const found = collectAll(readRange(chain, search, { from: '0x1', to: '0xffffff' }));
		return { asked, outcome: await found.catch((failure: unknown) => failure) };
	};

	test('after pages that came are not lost in a row, as long as the range gets smaller', async () => {
		const { asked } = await paged((blocks) => blocks > 10_000);
		expect(asked.at(-1)).toBeLessThanOrEqual(10_000);
	});

	test('after pages that came end it all the same', async () => {
		const { asked, outcome } = await paged(() => true);
		expect(outcome).toMatchObject({ message: 'The service did not answer' });
		expect(asked.length).toBeLessThan(20);
	});
});

describe('a node that does not have the head yet', () => {
	const behind = buildError(-32602, 'block range extends beyond current head block');

	test('is asked again', async () => {
		let lag = 3;
		const node = createLimitedNode(each(1000, 1), (from, to) => {
			if (to - from >= 100) return buildError(-32602, 'block range is too large');
			return to === 999 && lag-- > 0 ? behind : undefined;
		});
		expect(await node.read()).toEqual(node.all);
	});

	test('but not for ever, and not for a block that the user named', async () => {
		const node = createLimitedNode(empty(1000), (from, to) =>
			to - from >= 100 ? buildError(-32602, 'block range is too large') : behind,
		);
		await expect(node.read()).rejects.toThrow('beyond current head');
		expect(node.asked.length).toBeLessThan(20);
		const named = createLimitedNode(empty(10), () => behind);
		await expect(named.read({ to: '0xffff' })).rejects.toThrow('beyond current head');
		expect(named.asked).toHaveLength(1);
	});
});

test('another failure ends it, with the words of the node', async () => {
	const node = createLimitedNode(empty(10), () => buildError(-32000, 'missing trie node'));
	await expect(node.read()).rejects.toThrow('missing trie node');
	await expect(node.read({ to: '0x5' })).rejects.toThrow('missing trie node');
	expect(node.asked).toHaveLength(2);
});

test('no more results come at a time than fit', async () => {
	const node = createLimitedNode(each(3000, 100), byBlocks(50));
	expect(await node.read()).toHaveLength(300_000);
	expect(node.asked).toHaveLength(61);
});

test('whatever the limits, the list is that of one request, and its cost is bounded', async () => {
	const counts = fc.array(
		fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 20 })),
		{ minLength: 1, maxLength: 400 },
	);
	const property = fc.asyncProperty(
		counts,
		fc.integer({ min: 1, max: 500 }),
		fc.integer({ min: 20, max: 200 }),
		fc.boolean(),
		fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
		async (blocks, mostBlocks, mostResults, isNamed, limit) => {
			const says = isNamed ? undefined : 'block range is too large';
			const [tooWide, tooFull] = [byBlocks(mostBlocks, says), byResults(mostResults)];
			const refuse: Refuse = (...search) => tooWide(...search) ?? tooFull(...search);
			const node = createLimitedNode(blocks, refuse);
			expect(await node.read({}, limit)).toEqual(node.all.slice(0, limit));
			const needed = node.all.length / mostResults + blocks.length / mostBlocks;
			expect(node.asked.length).toBeLessThan(6 * needed + 25);
		},
	);
	await fc.assert(property, { seed: getSeed(15), numRuns: getCaseCount(500) });
});
