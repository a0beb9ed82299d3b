import type { RestReader } from '../../../nodes/core/chain/reader';
import { createShared } from '../../../nodes/core/net/pacing/shared';
import { createValueReader } from '../../../nodes/core/witness/watchedValues';

/** These tests check that irreversible blocks may be added while a value is read. */

const ACCOUNT = '11'.repeat(20);

function buildBlock(number: number) {
	const blockID = number.toString(16).padStart(16, '0') + 'ab'.repeat(24);
	const raw_data = { number, parentHash: '00'.repeat(32), timestamp: number * 3_000 };
	return { blockID, block_header: { raw_data } };
}

/**
 * Creates a node that is at the next of the given blocks each time it is asked. The balance equals the block's
 * number, in sun.
 */
function serve(heads: readonly number[]) {
	const left = [...heads];
	let head = 0;
	const asked: string[] = [];
	const reader: RestReader = {
		shared: createShared(),
		call: async ({ path, body }) => {
			asked.push(path);
			if (path.endsWith('/getnowblock')) return buildBlock((head = left.shift() ?? head + 1));
			const { address } = body as { address: string };
			return await Promise.resolve(
				path.endsWith('/getaccount') ? { address, balance: head } : buildBlock(1),
			);
		},
	};
	return { reader, asked };
}

async function read(heads: readonly number[]) {
	const { reader, asked } = serve(heads);
	const { readPlace, readValue } = createValueReader(reader, {
		kind: 'coinBalance',
		address: ACCOUNT,
	});
	const place = await readPlace();
	if (!place) throw new Error('no place');
	return { found: await readValue(place), asked };
}

test.each([
	['stays', [5, 5], 5],
	['went on once', [5, 6, 6], 6],
	['went on four times', [5, 6, 7, 8, 9, 9], 9],
])('where the head %s, the value is of the block that it is told with', async (_how, heads, at) => {
	const { found, asked } = await read(heads);
	expect(found.place).toMatchObject({ height: at, blockNumber: at, time: at * 3_000 });
	expect(found.value).toEqual({ digits: BigInt(at), scale: 6 });
	expect(asked.filter((path) => !path.startsWith('/walletsolidity/'))).toEqual([]);
});

test('where the head goes on each time, there is no value', async () => {
	await expect(read([5, 6, 7, 8, 9, 10, 11])).rejects.toThrow(
		/each time a new block came meanwhile/,
	);
});
