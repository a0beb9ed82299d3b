import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { code, line, ours, outputs, people, run, set, START, TESTED } from './workflows.mts';
import { balanceOf, control } from './world.mts';

/** Builds an expression that reads a field of the input item from which an item was made. */
const cameFrom = (name: string) => `$('${START}').item.json.${name}`;

describe('what comes after our nodes', () => {
	after(async () => await control('PUT', '/batches', {}));

	it('finds the item that each result came from', async () => {
		await control('PUT', '/batches', { order: 'reverse' });
		const read = { resource: 'account', operation: 'getBalance', address: '={{ $json.address }}' };
		const fields = `address: ${cameFrom('address')}, tested: $('${TESTED}').item.json.wei`;
		const flow = line(
			ours('evmRpc', 'token', read),
			set('Set', { name: `={{ ${cameFrom('name')} }}`, wei: '={{ $json.wei }}' }),
			code('Code', `return { json: { ...$json, ${fields} } };`),
		);
		const items = Object.values(people());
		const execution = await run({ ...flow, items });
		const expected = await Promise.all(
			items.map(async ({ name, address }) => {
				const wei = await balanceOf(address);
				return { name, wei, address, tested: wei };
			}),
		);
		assert.equal(new Set(expected.map(({ wei }) => wei)).size, 3);
		assert.deepEqual(
			outputs(execution, 'Code')[0]?.map(({ json }) => json),
			expected,
		);
	});

	it('finds it also where one item makes many', async () => {
		const list = { resource: 'project', operation: 'getAll', limit: '={{ $json.count }}' };
		const flow = line(
			ours('platform', 'platform', list),
			set('Set', { count: `={{ ${cameFrom('count')} }}` }),
		);
		const execution = await run({ ...flow, items: [{ count: 1 }, { count: 3 }, { count: 2 }] });
		const counts = outputs(execution, 'Set')[0]?.map(({ json }) => json.count);
		assert.deepEqual(counts, ['1', '3', '3', '3', '2', '2']);
	});
});
