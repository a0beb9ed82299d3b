import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { Seen } from './world.mts';
import {
	code,
	errorOf,
	line,
	node,
	ours,
	outputs,
	run,
	set,
	START,
	TESTED,
	to,
} from './workflows.mts';
import { control, demo } from './world.mts';

const BALANCE = { resource: 'account', operation: 'getBalance', address: '={{ $json.address }}' };

const people = () => [
	{ name: 'owner', address: demo.chain.owner },
	{ name: 'other', address: demo.chain.other },
	{ name: 'payer', address: demo.chain.payer },
];

describe('what comes after our nodes', () => {
	it('finds the item that each result came from', async () => {
		await control('PUT', '/batches', { order: 'reverse' });
		const later = [
			set('Set', { name: `={{ $('${START}').item.json.name }}`, wei: '={{ $json.wei }}' }),
			code(
				'Code',
				`return { json: { ...$json, address: $('${START}').item.json.address, tested: $('${TESTED}').item.json.wei } };`,
			),
		];
		const flow = line(ours('evmRpc', 'token', BALANCE), ...later);
		const execution = await run({ ...flow, items: people() });
		const expected = await Promise.all(
			people().map(async ({ name, address }) => {
				const balance = await demo.sandbox.chain('eth_getBalance', address, 'latest');
				const wei = String(BigInt(String(balance)));
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
		const list = ours('platform', 'platform', {
			...{ resource: 'project', operation: 'getAll', limit: '={{ $json.count }}' },
		});
		const after = set('Set', { count: `={{ $('${START}').item.json.count }}` });
		const items = [{ count: 1 }, { count: 3 }, { count: 2 }];
		const execution = await run({ ...line(list, after), items });
		const counts = outputs(execution, 'Set')[0]?.map(({ json }) => json.count);
		assert.deepEqual(counts, ['1', '3', '3', '3', '2', '2']);
	});
});

describe('on error', () => {
	const broken = () => [people()[0], { name: 'bad', address: '0x12' }, people()[1]] as const;

	it('the error branch carries the failed items with what came in', async () => {
		const tested = ours('evmRpc', 'basicAuth', BALANCE, { onError: 'continueErrorOutput' });
		const named = (name: string) =>
			set(name, { name: `={{ $('${START}').item.json.name }}`, error: '={{ $json.error }}' });
		const { nodes } = line(tested, named('Good'), named('Bad'));
		const connections = { [START]: to(TESTED), [TESTED]: to('Good', 'Bad') };
		const items = broken().filter((one) => one !== undefined);
		const execution = await run({ nodes, connections, items });
		assert.equal(execution.status, 'success');
		const names = (name: string) => outputs(execution, name)[0]?.map(({ json }) => json.name);
		assert.deepEqual([names('Good'), names('Bad')], [['owner', 'other'], ['bad']]);
		const [failed] = outputs(execution)[1] ?? [];
		assert.match(String(failed?.json.error), /^'Address' must be/);
		assert.deepEqual([failed?.json.name, failed?.json.address], ['bad', '0x12']);
	});

	it('the node stops at a bad item, and names it', async () => {
		const items = broken().filter((one) => one !== undefined);
		const execution = await run({ ...line(ours('evmRpc', 'token', BALANCE)), items });
		assert.equal(execution.status, 'error');
		assert.match(errorOf(execution).message, /^'Address' must be/);
		assert.match(JSON.stringify(execution.data.resultData.error), /"itemIndex":1/);
	});

	it('a node without a credential says so', async () => {
		const { type, parameters } = ours('evmRpc', 'token', BALANCE);
		const execution = await run(line(node(TESTED, type, parameters)));
		assert.match(errorOf(execution).message, /credential/i);
	});
});

describe('Retry On Fail', () => {
	const read = (more: object) =>
		ours(
			'evmRpc',
			'token',
			{ resource: 'fee', operation: 'getMaxPriority', options: { maxRetries: 0 } },
			more,
		);
	const twice = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

	afterEach(async () => await control('DELETE', '/faults'));

	it('repeats a read that failed', async () => {
		await control('POST', '/faults', { room: 'node', times: 2, do: { status: 500 } });
		await control('DELETE', '/record');
		const execution = await run(line(read(twice)));
		assert.equal(execution.status, 'success');
		const seen = await control<Seen[]>('GET', '/record');
		assert.deepEqual(
			seen.map(({ status }) => status),
			[500, 500, 200],
		);
	});

	it('without it the first failure ends the node', async () => {
		await control('POST', '/faults', { room: 'node', times: 1, do: { status: 500 } });
		const execution = await run(line(read({})));
		assert.equal(execution.status, 'error');
		assert.match(errorOf(execution).message, /500|server|service/i);
	});
});
