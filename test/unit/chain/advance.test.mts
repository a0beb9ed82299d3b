import fc from 'fast-check';
import { advanceCursor, type ChainView } from '../../../nodes/core/chain/advance';
import type { BlockRange } from '../../../nodes/core/chain/blocks';
import { createCursorAfter } from '../../../nodes/core/chain/cursor';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';
import { ModelFollower } from '../support/follower.mts';
import { anyGrowth, anyLag, anyReorganization, UnsteadyNode } from '../support/unsteadyNode.mts';

fc.configureGlobal({ seed: getSeed(20261120), numRuns: getCaseCount(1500) });

const change = fc.oneof(anyGrowth(25), anyReorganization, anyLag);

const step = fc.oneof(
	change,
	fc.record({
		do: fc.constant('advance' as const),
		/** The highest number of blocks to read, and the distance from the latest block at which reading ends. */
		reach: fc.integer({ min: 0, max: 40 }),
		below: fc.constantFrom(0, 0, 0, 3),
		/** Says how the chain changes while it is read, and before which answer of the node. */
		meanwhile: fc.option(fc.record({ answer: fc.nat(15), change }), { nil: undefined }),
	}),
);

const changing = {
	emitsRemovals: true,
	readBlockRef: async (number: number) => ({ number, hash: `0x${number}` }),
	readEvents: async ({ to: number }: BlockRange) => [
		{ block: { number, hash: '0xother' }, json: {} },
	],
};

test('what comes from another chain than the end is not believed', async () => {
	const cursor = createCursorAfter({ number: 1, hash: '0x1' });
	await expect(advanceCursor(cursor, 5, changing)).rejects.toThrow(
		'The trigger must read the blocks again: the chain kept replacing them',
	);
});

test('a node that has no such block yet is behind', async () => {
	const cursor = createCursorAfter({ number: 1, hash: '0x1' });
	const lagging = { ...changing, readBlockRef: async () => null };
	await expect(advanceCursor(cursor, 5, lagging)).rejects.toMatchObject({ block: 5 });
});

describe('of two branches', () => {
	const EVENTFUL_BLOCKS = [3, 4, 5];

	/**
	 * Builds a chain with two branches. From the block `fork` on, branch b replaces the blocks of branch a. The node
	 * answers from branch a while `isOld` is true.
	 */
	function createView(fork: number, isOld: (answer: number, block: number) => boolean): ChainView {
		let answers = 0;
		const read = (number: number) => {
			const branch = isOld(answers++, number) ? 'a' : 'b';
			const hashOf = (one: number) => `0x${one < fork ? 'a' : branch}${one}`;
			return { number, hash: hashOf(number), parentHash: hashOf(number - 1) };
		};
		return {
			emitsRemovals: true,
			readBlockRef: async (number) => read(number),
			readEvents: async ({ from, to }) =>
				EVENTFUL_BLOCKS.filter((number) => number >= from && number <= to)
					.map(read)
					.map((block) => ({ block, json: { hash: block.hash } })),
		};
	}

	/** Reads up to block 4 of branch a, and then continues on the given chain. */
	async function readOn(view: ChainView) {
		const start = createCursorAfter({ number: 2, hash: '0xa2' });
		const { cursor } = await advanceCursor(
			start,
			4,
			createView(4, () => true),
		);
		return await advanceCursor(cursor, 6, view);
	}

	const forks = [4, 5, 6];

	test.each(forks)('one is read, whenever the other replaces it from block %i on', async (fork) => {
		const old = await readOn(createView(fork, () => true));
		const present = await readOn(createView(fork, () => false));
		expect(old).not.toEqual(present);
		const most = 20;
		const found = await Promise.all(
			Array.from(
				{ length: most },
				async (_, at) => await readOn(createView(fork, (one) => one < at)),
			),
		);
		for (const one of found) expect([old, present]).toContainEqual(one);
		expect([found[0], found.at(-1)]).toEqual([present, old]);
	});

	test('one is read, though a node on the other confirms the last block that was read', async () => {
		const confirmOnce = () => {
			let confirmations = 0;
			return createView(4, (_, block) => block === 4 && confirmations++ === 0);
		};
		const present = await readOn(createView(4, () => false));
		expect(await readOn(confirmOnce())).toEqual(present);
		const quiet: ChainView = { ...confirmOnce(), readEvents: async () => [] };
		const { emissions } = await readOn(quiet);
		expect(emissions.map(({ json, change }) => [json.hash, change])).toEqual([['0xa4', 'removed']]);
	});
});

describe.each([
	['happenings that are taken back', true],
	['blocks', false],
])('%s', (_, emitsRemovals) => {
	test('are emitted as they are on the chain, whatever it does', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
				const node = new UnsteadyNode();
				const follower = new ModelFollower(node, emitsRemovals);
				for (const one of steps) {
					if (one.do !== 'advance') {
						node.change(one);
						continue;
					}
					node.changeDuring(one.meanwhile);
					const most = follower.cursor.next - 1 + one.reach;
					await follower.advance(Math.max(0, Math.min(node.height - one.below, most)));
					node.changeDuring(undefined);
				}
				node.stabilize();
				while (node.height <= follower.cursor.highest) node.change({ do: 'grow', blocks: [1] });
				await follower.advance(node.height);
				expect(follower.cursor.next).toBe(node.height + 1);
			}),
		);
	});
});
