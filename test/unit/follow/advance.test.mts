import fc from 'fast-check';
import { advanceCursor } from '../../../nodes/core/follow/advance';
import type { BlockRange } from '../../../nodes/core/evm/blocks';
import { createCursorAfter } from '../../../nodes/core/follow/cursor';
import { getCaseCount } from '../support/cases.mts';
import { ModelFollower } from '../support/follower.mts';
import { ModelChain } from '../support/modelChain.mts';

fc.configureGlobal({ seed: 20261120, numRuns: getCaseCount(1500) });

const START = 20;
const counts = (most: number) =>
	fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 1, maxLength: most });

type Change =
	| { readonly do: 'grow'; readonly blocks: readonly number[] }
	| { readonly do: 'reorganize'; readonly blocks: readonly number[]; readonly depth: number }
	| { readonly do: 'lag'; readonly by: number };

const change: fc.Arbitrary<Change> = fc.oneof(
	fc.record({ do: fc.constant('grow' as const), blocks: counts(25) }),
	fc.record({
		do: fc.constant('reorganize' as const),
		blocks: counts(32),
		depth: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 30 })),
	}),
	fc.record({ do: fc.constant('lag' as const), by: fc.nat(20) }),
);

const step = fc.oneof(
	change,
	fc.record({
		do: fc.constant('advance' as const),
		/** The most blocks to read, and the distance from the head. */
		reach: fc.integer({ min: 0, max: 40 }),
		below: fc.constantFrom(0, 0, 0, 3),
		/** How the chain changes while it is read, and before which answer. */
		meanwhile: fc.option(fc.record({ answer: fc.nat(15), change }), { nil: undefined }),
	}),
);

function make(chain: ModelChain, what: Change): void {
	if (what.do === 'grow') chain.grow(what.blocks);
	if (what.do === 'lag') chain.lag(what.by);
	if (what.do === 'reorganize') chain.reorganize(what.depth, what.blocks);
}

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
		'The chain kept changing while it was being read',
	);
});

test('a node that has no such block yet is behind', async () => {
	const cursor = createCursorAfter({ number: 1, hash: '0x1' });
	const lagging = { ...changing, readBlockRef: async () => null };
	await expect(advanceCursor(cursor, 5, lagging)).rejects.toMatchObject({ block: 5 });
});

describe.each([
	['happenings that are taken back', true],
	['blocks', false],
])('%s', (_, emitsRemovals) => {
	test('are emitted as they are on the chain, whatever it does', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
				const chain = new ModelChain(START + 1, emitsRemovals);
				const follower = new ModelFollower(chain, emitsRemovals);
				for (const one of steps) {
					if (one.do !== 'advance') {
						make(chain, one);
						continue;
					}
					chain.beforeAnswer = (answer) => {
						if (one.meanwhile?.answer === answer) make(chain, one.meanwhile.change);
					};
					const most = follower.cursor.next - 1 + one.reach;
					await follower.advance(Math.max(0, Math.min(chain.height - one.below, most)));
					chain.beforeAnswer = () => {};
				}
				chain.lag(0);
				while (chain.height <= follower.cursor.highest) chain.grow([1]);
				await follower.advance(chain.height);
				expect(follower.cursor.next).toBe(chain.height + 1);
			}),
		);
	});
});
