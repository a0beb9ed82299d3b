import type { INodeParameters } from 'n8n-workflow';
import { deployContract } from '../harness/contract.mts';
import { createSandbox } from '../harness/sandbox.mts';
import { evmRpcAt } from './evmRpc/support/scene.mts';

/** These tests check the option with which a user selects the fields of a long output. */

const sandbox = createSandbox({ chain: true });
const { run } = evmRpcAt(sandbox);
let token: string;
let receiver: string;

beforeAll(async () => {
	const coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	token = coin.address;
	receiver = coin.owner;
	for (const value of [1n, 2n]) {
		const data = coin.data('transfer(address,uint256)', BigInt(receiver), value);
		await sandbox.mined({ from: coin.owner, to: token, data });
	}
});

async function list(outputFields: unknown, more: INodeParameters = {}) {
	const options = { outputFields } as INodeParameters;
	const parameters = { operation: 'getTransfers', tokens: token, fromBlock: '0', options, ...more };
	const { items, hints, error } = await run({ resource: 'token', ...parameters });
	expect(error?.message).toBeUndefined();
	return { found: items.map(({ json }) => json), hints };
}

test('each item has the fields that are named, in that order', async () => {
	const { found, hints } = await list('value, to');
	expect(found.map((item) => Object.entries(item))).toEqual(
		expect.arrayContaining([
			[
				['value', '2'],
				['to', expect.stringMatching(new RegExp(receiver, 'i'))],
			],
		]),
	);
	expect(hints).toEqual([]);
});

test.each([
	['an array', '={{ ["value"] }}'],
	['JSON', '["value"]'],
	['text with blanks', ' value '],
])('they are given as %s, too', async (_, given) => {
	const { found } = await list(given);
	expect(new Set(found.flatMap((item) => Object.keys(item)))).toEqual(new Set(['value']));
});

test.each(['', '={{ [] }}', undefined])(
	'without names, as in %p, all fields are there',
	async (given) => {
		const { found } = await list(given);
		expect(found[0]).toHaveProperty('transactionHash');
	},
);

test('a name that no item has is reported once; a member of every object is no field', async () => {
	const { found, hints } = await list('amuont, value, toString, __proto__');
	expect(Object.keys(found[0] ?? {})).toEqual(['value']);
	expect(hints).toEqual([
		"No item has the field 'amuont' of Output Fields.",
		"No item has the field 'toString' of Output Fields.",
		"No item has the field '__proto__' of Output Fields.",
	]);
});

test('no hint comes where nothing was found', async () => {
	const { found, hints } = await list('amuont', { tokens: `0x${'1'.repeat(40)}` });
	expect([found, hints]).toEqual([[], []]);
});

test('of one answer, too', async () => {
	const { items } = await run({
		resource: 'block',
		operation: 'get',
		block: 'latest',
		options: { outputFields: 'number' },
	});
	expect(items.map(({ json }) => Object.keys(json))).toEqual([['number']]);
});
