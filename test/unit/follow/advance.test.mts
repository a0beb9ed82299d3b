import { advance } from '../../../nodes/core/follow/advance';
import type { BlockRange } from '../../../nodes/core/chain/blocks';
import { startAt } from '../../../nodes/core/follow/position';

const changing = {
	emitsRemovals: true,
	blockRef: async (number: number) => ({ number, hash: `0x${number}` }),
	events: async ({ to: number }: BlockRange) => [{ block: { number, hash: '0xother' }, json: {} }],
};

test('what comes from another chain than the end is not believed', async () => {
	const cursor = startAt({ number: 1, hash: '0x1' });
	await expect(advance(cursor, 5, changing)).rejects.toThrow(
		'The chain kept changing while it was being read',
	);
});

test('a node that has no such block yet is behind', async () => {
	const cursor = startAt({ number: 1, hash: '0x1' });
	const lagging = { ...changing, blockRef: async () => null };
	await expect(advance(cursor, 5, lagging)).rejects.toMatchObject({ block: 5 });
});
