import { isOfChain } from '../../../nodes/core/witness/reference';
import { createShared } from '../../../nodes/core/net/pacing/shared';

const HEAD = 200_000;
const hashOf = (number: number) => number.toString(16).padStart(16, '0') + 'ab'.repeat(24);

/** A reader of a chain that has had a block every three seconds since 1970. */
const reader = {
	shared: createShared(),
	call: async ({ body }: { body?: unknown }) => {
		const { num } = body as { num: number };
		const raw = { number: num, timestamp: num * 3000, parentHash: hashOf(num - 1) };
		return await Promise.resolve({ blockID: hashOf(num), block_header: { raw_data: raw } });
	},
};

const transactionAt = (number: number, hash = hashOf(number).slice(16, 32)) => ({
	txID: 'cd'.repeat(32),
	expiration: BigInt((number + 20) * 3000),
	body: JSON.stringify({
		raw_data: {
			ref_block_bytes: number.toString(16).padStart(4, '0').slice(-4),
			ref_block_hash: hash,
		},
	}),
});

test.each([HEAD - 30, HEAD - 65_536, HEAD - 70_000, HEAD - 140_000])(
	'a transaction that names block %d is of this chain, and one with another hash there is not',
	async (number) => {
		expect(await isOfChain(reader, transactionAt(number), HEAD)).toBe(true);
		expect(await isOfChain(reader, transactionAt(number, 'ef'.repeat(8)), HEAD)).toBe(false);
	},
);

test('one that names no block is of none', async () => {
	const body = JSON.stringify({ raw_data: {} });
	expect(await isOfChain(reader, { ...transactionAt(7), body }, HEAD)).toBe(false);
});
