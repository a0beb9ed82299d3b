import type { INode, INodeParameters } from 'n8n-workflow';
import { NodeHelpers, type INodeType } from 'n8n-workflow';
import { L2Simulate } from '../../nodes/L2Simulate/L2Simulate.node';
import { Stark } from '../../nodes/Stark/Stark.node';
import { Ton } from '../../nodes/Ton/Ton.node';
import { buildTonScene } from '../cases/tonScene.mts';
import { runNode } from '../harness/engine.mts';
import { createStarkChain } from '../harness/starkChain.mts';

/**
 * These tests run stored workflows that give a list as JSON, although they do not choose JSON in a field such as Calls
 * By.
 */

const { sandbox, accountOf, contractOf } = createStarkChain();

async function runStored(node: INodeType, parameters: INodeParameters) {
	const stored = NodeHelpers.getNodeParameters(
		node.description.properties,
		parameters,
		false,
		false,
		{ typeVersion: 1 } as INode,
		node.description,
	);
	const { items, error } = await runNode({
		node,
		parameters: stored ?? {},
		credentials: sandbox.credentials.token,
	});
	return { stored, items: items.map(({ json }) => json), error };
}

test('the payments of a TON transfer', async () => {
	const { owner } = await buildTonScene(sandbox.control);
	const payments = JSON.stringify([{ to: owner, amount: '0.1' }]);
	const transaction = { resource: 'transaction', operation: 'prepare', from: owner };
	const preparing = { ...transaction, kind: 'several', payments };
	const { stored, items, error } = await runStored(new Ton(), preparing);
	expect(error?.message).toBeUndefined();
	expect(stored).toHaveProperty('payments', payments);
	expect(items).toMatchObject([{ transfer: { messages: [{ amount: '100000000' }] } }]);
});

const transfers = () => [
	{ contract: contractOf('newToken'), function: 'transfer', arguments: [accountOf(1), '5'] },
	{ contract: contractOf('newToken'), function: 'transfer', arguments: [accountOf(2), '6'] },
];

describe.each([
	[
		'a STARK transaction',
		() => new Stark(),
		{ resource: 'transaction', operation: 'prepare', kind: 'calls' },
		'from',
	],
	['a simulation', () => new L2Simulate(), { inputMode: 'calls' }, 'senderAddress'],
] as const)('the calls of %s', (_, createNode, chosen, sender) => {
	const callsOf = ([item]: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
		JSON.stringify(item?.calls).match(/transfer\b/g)?.length;

	test('as JSON', async () => {
		const calls = JSON.stringify(transfers());
		const { stored, items, error } = await runStored(createNode(), {
			...chosen,
			[sender]: accountOf(0),
			calls,
		});
		expect(error?.message).toBeUndefined();
		expect(stored).toHaveProperty('calls', calls);
		expect(callsOf(items)).toBeGreaterThanOrEqual(2);
	});

	test('as rows, which come before JSON that was left behind', async () => {
		const rows = transfers().map((one) => ({ ...one, arguments: JSON.stringify(one.arguments) }));
		const { items, error } = await runStored(createNode(), {
			...chosen,
			[sender]: accountOf(0),
			callFields: { call: rows },
			calls: 'no list',
		});
		expect(error?.message).toBeUndefined();
		expect(callsOf(items)).toBeGreaterThanOrEqual(2);
	});

	test.each([
		['no call at all', {}, /^'Calls' must hold at least one call$/],
		[
			'a contract that is none',
			{ callFields: { call: [{ contract: 'x', function: 'transfer' }] } },
			/'Calls > Call 1 > Contract' must be/,
		],
		[
			'arguments that are no JSON',
			{ callFields: { call: [{ contract: '0x1', function: 'transfer', arguments: '[1' }] } },
			/'Calls > Call 1 > Arguments' must be/,
		],
	])('%s is refused by name', async (_case, given, message) => {
		const { error } = await runStored(createNode(), {
			...chosen,
			[sender]: accountOf(0),
			...given,
		});
		expect(error?.message).toMatch(message);
	});
});
