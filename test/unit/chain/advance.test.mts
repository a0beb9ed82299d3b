import fc from 'fast-check';
import { advanceCursor } from '../../../nodes/core/chain/advance';
import type { BlockRange } from '../../../nodes/core/chain/blocks';
import { createCursorAfter } from '../../../nodes/core/chain/cursor';
import { getCaseCount } from '../../harness/caseCount.mts';
import { ModelFollower } from '../support/follower.mts';
import { anyGrowth, anyLag, anyReorganization, UnsteadyNode } from '../support/unsteadyNode.mts';

fc.configureGlobal({ seed: 20261120, numRuns: getCaseCount(1500) });

const change = fc.oneof(anyGrowth(25), anyReorganization, anyLag);

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
