import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Stark } from '../../nodes/Stark/Stark.node';
import { runNode } from '../harness/engine.mts';
import { createStarkChain, HI_CALLDATA, padFelt } from '../harness/starkChain.mts';

const { sandbox, account, accountOf, addBlocks, contractOf, send, sendCalls, set } =
	createStarkChain();
const everything = () => contractOf('everything');

async function run(
	resource: string,
	operation: string,
	parameters: INodeParameters,
	items: readonly IDataObject[] = [{}],
) {
	return await runNode({
		node: new Stark(),
		parameters: { resource, operation, ...parameters },
		credentials: sandbox.credentials.token,
		items: items.map((json) => ({ json })),
	});
}

async function give(resource: string, operation: string, parameters: INodeParameters) {
	const { items, error } = await run(resource, operation, parameters);
	expect(error?.message).toBeUndefined();
	return items.map(({ json }) => json);
}

const call = async (name: string, args: unknown, other: INodeParameters = {}) =>
	await give('contract', 'call', {
		contract: everything(),
		function: name,
		argumentsBy: 'json',
		arguments: JSON.stringify(args),
		...other,
	});

const order = {
	id: 7,
	owner: '0x0abc',
	amount: '340282366920938463463374607431768211457',
	note: 'for Zoë, a text that is longer than one felt can hold',
	shape: { Path: [{ x: '-1', y: 2 }, [3, 4]] },
	limit: null,
	tags: ['first', 2],
};

test.each<[string, unknown, unknown]>([
	['felt', 'hello', padFelt('0x68656c6c6f')],
	['u256', '0x100000000000000000000000000000001', '340282366920938463463374607431768211457'],
	['address', '0x1', padFelt('0x1')],
	['text', 'a text of more than thirty-one bytes ☂', 'a text of more than thirty-one bytes ☂'],
	[
		'nested',
		[
			[1, null],
			[2, '3'],
		],
		[
			[1, null],
			[2, '3'],
		],
	],
	['shape', { Named: 'x' }, { Named: 'x' }],
])('a value of type %s goes in and comes out in readable form: %p', async (type, value, shown) => {
	expect(await call(`echo_${type}`, [value])).toEqual([{ result: shown }]);
});

test('a struct of all kinds goes in by names, and comes out as it is', async () => {
	const [item] = await call('echo_order', { value: order });
	expect(item?.result).toEqual({
		...order,
		id: '7',
		owner: padFelt('0xabc'),
		shape: {
			Path: [
				{ x: '-1', y: '2' },
				{ x: '3', y: '4' },
			],
		},
		tags: [padFelt('0x6669727374'), padFelt('0x2')],
	});
});

test('arguments come from fields of the form, one by one', async () => {
	const [item] = await give('contract', 'call', {
		contract: everything(),
		function: 'echo_many',
		argumentsBy: 'fields',
		argumentFields: {
			mappingMode: 'defineBelow',
			value: { first: '1', second: 'two', third: '3' },
			schema: [],
		},
	});
	expect(item).toEqual({ result: [1, 'two', '3'] });
});

test('a hundred calls of a contract travel in few requests, and its class is read once', async () => {
	const items = Array.from({ length: 100 }, (_, value) => ({ value }));
	const { items: found, error } = await run(
		'contract',
		'call',
		{
			contract: everything(),
			function: 'echo_u8',
			argumentsBy: 'json',
			arguments: '={{ [$json.value] }}',
		},
		items,
	);
	expect(error).toBeUndefined();
	expect(found.map(({ json }) => json.result)).toEqual(items.map(({ value }) => value));
	expect((await sandbox.record()).length).toBeLessThanOrEqual(4);
});

test.each<[string, unknown, RegExp]>([
	['echo_u88', [1], /^'Function' must be a function of the contract, such as echo_u8/],
	['echo_u8', [256], /^'Arguments > value' must be u8: a whole number from 0 to 255; got 256/],
	['echo_u8', [], /^'Arguments' must be a list of 1 value, or an object with value/],
	['fail', [['first reason', 'second']], /^The contract reverted: first reason, second/],
	[
		'fail_with_text',
		['this is why it failed, at some length'],
		/^The contract reverted: this is why it failed, at some length/,
	],
])('%s of %p fails in words', async (name, args, message) => {
	const { error } = await run('contract', 'call', {
		contract: everything(),
		function: name,
		argumentsBy: 'json',
		arguments: JSON.stringify(args),
	});
	expect(error?.message).toMatch(message);
});

test.each(['0.7', '0.8', '0.9', '0.10'])(
	'reasons of reverts are read from version %s',
	async (version) => {
		await set({ version });
		const { error } = await run('contract', 'call', {
			contract: everything(),
			function: 'fail',
			argumentsBy: 'json',
			arguments: '[["too little"]]',
		});
		expect(error?.message).toMatch(/^The contract reverted: too little$/);
		const [found] = await give('account', 'get', { address: accountOf(0), block: 'pending' });
		expect(found).toEqual({
			address: padFelt(accountOf(0)),
			classHash: padFelt(account(0).classHash),
			nonce: 0,
			isDeployed: true,
		});
	},
);

test('an account that is not there has no class', async () => {
	expect(await give('account', 'get', { address: '0x1234' })).toEqual([
		{ address: padFelt('0x1234'), classHash: null, nonce: null, isDeployed: false },
	]);
});

test('a contract is described with the short names of its types, an old one behind a proxy too', async () => {
	const items = await give('contract', 'describe', { contract: everything() });
	expect(items).toContainEqual({
		kind: 'view',
		name: 'echo_nested',
		signature: 'echo_nested(value: Array<(u8, Option<u256>)>) -> Array<(u8, Option<u256>)>',
		inputs: [{ name: 'value', type: 'Array<(u8, Option<u256>)>' }],
		outputs: ['Array<(u8, Option<u256>)>'],
	});
	expect(items).toContainEqual(expect.objectContaining({ kind: 'event', name: 'Renamed' }));
	const old = await give('contract', 'describe', { contract: contractOf('oldToken') });
	expect(old.map(({ name }) => name)).toContain('balanceOf');
});

describe('tokens', () => {
	test.each<[string, string, number, string | null]>([
		['strk', 'STRK', 18, '1000'],
		['newToken', 'LONG', 6, '1000'],
		['oldToken', 'OLD', 18, '1000'],
	])('%s has its facts and balances in whole coins', async (name, symbol, decimals, amount) => {
		const token = contractOf(name);
		const [facts] = await give('token', 'get', { token });
		expect(facts).toMatchObject({ token: padFelt(token), symbol, decimals, supply: '4000' });
		expect(await give('token', 'getBalance', { token, owner: accountOf(0) })).toEqual([
			{
				token: padFelt(token),
				owner: padFelt(accountOf(0)),
				symbol,
				decimals,
				value: `1000${'0'.repeat(decimals)}`,
				amount,
				balance: `1000${'0'.repeat(decimals)}`,
			},
		]);
	});

	test('an account has coins, whose token nobody has to know', async () => {
		const [coins] = await give('account', 'getBalance', { address: accountOf(0) });
		const token = contractOf('strk');
		const [held] = await give('token', 'getBalance', { token, owner: accountOf(0) });
		const { symbol, decimals, value, amount } = held ?? {};
		const address = padFelt(accountOf(0));
		expect(coins).toEqual({ address, symbol, decimals, value, amount, token: padFelt(token) });
	});

	test.each(['newToken', 'oldToken'])(
		'transfers of %s are found by party, each once',
		async (name) => {
			const token = contractOf(name);
			const [from = '', to = ''] = [accountOf(0), accountOf(1)];
			await send(token, 'transfer', to, '0x5', '0x0');
			await send(token, 'transfer', from, '0x6', '0x0');
			await send(contractOf('strk'), 'transfer', to, '0x7', '0x0');
			const search = async (more: INodeParameters) =>
				(
					await give('token', 'getTransfers', { fromBlock: 'earliest', returnAll: true, ...more })
				).map(({ value }) => value);
			expect(await search({ tokens: token })).toEqual(['5', '6']);
			expect(await search({ tokens: token, accounts: from })).toEqual(['5', '6']);
			expect(await search({ tokens: token, accounts: from, direction: 'to' })).toEqual(['6']);
			expect(await search({ tokens: token, accounts: to, direction: 'to' })).toEqual(['5']);
			expect(await search({ accounts: to, direction: 'to' })).toEqual(['5', '7']);
			expect(await search({ fromBlock: '2 blocks back', tokens: token })).toEqual(['6']);
			expect(await search({ fromBlock: '1 week back', tokens: token })).toEqual(['5', '6']);
		},
	);

	test.each(['0.9', '0.10'])(
		'equal transfers of one transaction are found, between both accounts once, in version %s',
		async (version) => {
			await set({ version });
			const token = contractOf('newToken');
			const parties = [0, 0, 1, 1].map(accountOf);
			await sendCalls(
				...parties.map((to) => ({ to: token, function: 'transfer', calldata: [to, '0x5', '0x0'] })),
			);
			const accounts = [accountOf(0), accountOf(1)].join();
			const search = { tokens: token, accounts, fromBlock: 'earliest', returnAll: true };
			const found = await give('token', 'getTransfers', search);
			expect(found.map(({ to }) => to)).toEqual(parties.map(padFelt));
		},
	);

	test('an address that is no token is reported as that', async () => {
		const { error } = await run('token', 'get', { token: everything() });
		expect(error?.message).toMatch(/^There is no token at 0x/);
	});
});

describe('events', () => {
	const search = async (more: INodeParameters = {}) =>
		await give('event', 'getAll', {
			contract: everything(),
			fromBlock: 'earliest',
			returnAll: true,
			...more,
		});

	test('are given as they are where they do not fit the ABI, also by their name', async () => {
		await send(everything(), 'emit_plain', '0x9', ...HI_CALLDATA);
		await send(everything(), 'emit_plain', '0x9', ...HI_CALLDATA);
		const parts = [
			{ name: 'Event', kind: 'enum', variants: [{ name: 'Plain', type: 'Plain', kind: 'nested' }] },
			{
				name: 'Plain',
				kind: 'struct',
				members: [{ name: 'id', type: 'core::integer::u8', kind: 'key' }],
			},
		];
		const abi = JSON.stringify(parts.map((part) => ({ type: 'event', ...part })));
		const items = await search({ abi, event: 'Plain' });
		expect(items).toHaveLength(2);
		expect(items[0]).toMatchObject({ event: null, args: null, data: HI_CALLDATA.map(padFelt) });
		expect((items[0]?.keys as string[])[1]).toBe(padFelt('0x9'));
	});

	test('are decoded by the paths of the ABI, flat and nested', async () => {
		await send(everything(), 'emit_plain', '0x9', ...HI_CALLDATA);
		await send(everything(), 'emit_renamed', '0x9', ...HI_CALLDATA);
		await send(everything(), 'emit_nested', '0xabc');
		await send(everything(), 'emit_flat', '0xabc');
		const items = await search();
		const moved = { previous: padFelt(accountOf(0)), next: padFelt('0xabc') };
		expect(items.map(({ event, args }) => ({ event, args }))).toEqual([
			{ event: 'Plain', args: { id: '9', note: 'hi' } },
			{ event: 'Renamed', args: { id: '9', note: 'hi' } },
			{ event: 'Transferred', args: moved },
			{ event: 'Claimed', args: { by: padFelt(accountOf(0)), owner: padFelt('0xabc') } },
		]);
		expect(items[0]).toMatchObject({
			contract: padFelt(everything()),
			blockNumber: 1,
			eventIndex: 0,
		});
		expect(await search({ event: 'Renamed' })).toHaveLength(1);
		expect(await search({ event: 'OwnableEvent::Transferred' })).toHaveLength(1);
		expect(await search({ keys: '[null, "0x9"]' })).toHaveLength(2);
		const { error } = await run('event', 'getAll', {
			contract: everything(),
			event: 'Plane',
			fromBlock: 'earliest',
		});
		expect(error?.message).toMatch(/^'Event' must be an event of the contract, such as Plain/);
	});

	test.each<[string, object]>([
		['pages of few events', { events: { maxChunk: 7 } }],
		['pages of few blocks, some of them empty', { events: { blocksPerPage: 1 } }],
		['ranges of few blocks', { events: { maxBlocks: 3 } }],
		['padded felts', { padded: true }],
	])('are all there and each once where the node takes %s', async (_, settings) => {
		for (let block = 0; block < 4; block++) {
			await send(everything(), 'emit_many', '0x14');
			await addBlocks(5);
		}
		await set(settings);
		const items = await search();
		expect(items.map(({ args }) => (args as IDataObject).id)).toEqual(
			Array.from({ length: 80 }, (__, index) => String(index % 20)),
		);
		expect(await search({ returnAll: false, limit: 25 })).toEqual(items.slice(0, 25));
	});

	test('a token that repeats is refused, for the list would never end', async () => {
		await send(everything(), 'emit_many', '0x14');
		await set({ events: { maxChunk: 5, repeatsToken: true } });
		const { error } = await run('event', 'getAll', {
			contract: everything(),
			fromBlock: 'earliest',
			returnAll: true,
		});
		expect(error?.message).toMatch(/same page of a list twice/);
	});
});

test('blocks come by number, hash and name; one that is not there is null', async () => {
	await addBlocks(3);
	const [latest] = await give('block', 'get', {});
	expect(latest).toMatchObject({ number: 3, status: 'acceptedOnL2', transactionCount: 0 });
	expect(latest?.timestamp).toMatch(/^2026-01-01T/);
	expect(await give('block', 'get', { block: latest?.hash as string })).toEqual([latest]);
	expect(await give('block', 'get', { block: 3 })).toEqual([latest]);
	expect(await give('block', 'get', { block: 99 })).toEqual([{ result: null }]);
	const [making] = await give('block', 'get', { block: 'pending' });
	expect(making).toMatchObject({ hash: null, status: 'pending' });
});

test.each(['0.7', '0.10'])(
	'a transaction comes with its fee and events in version %s',
	async (version) => {
		await set({ version });
		const hash = await send(everything(), 'emit_plain', '0x9', ...HI_CALLDATA);
		const [item] = await give('transaction', 'get', { transactionHash: hash });
		expect(item).toMatchObject({
			transactionHash: padFelt(hash),
			status: 'acceptedOnL2',
			success: true,
			revertReason: null,
			fee: expect.stringMatching(/^0\.\d+$/) as string,
			feeUnit: 'STRK',
			blockNumber: 1,
		});
		expect(item?.events).toContainEqual({
			contract: padFelt(everything()),
			event: 'Plain',
			args: { id: '9', note: 'hi' },
		});
		expect(await give('transaction', 'wait', { transactionHash: hash })).toEqual([item]);
		expect(await give('transaction', 'get', { transactionHash: '0x1' })).toEqual([
			{ result: null },
		]);
		const { error } = await run('transaction', 'wait', { transactionHash: '0x1', waitFor: 0 });
		expect(error?.message).toMatch(/^The chain node does not know the transaction after 0 s/);
	},
);

test('a method that the chain node does not know by its documented prefix is asked by another, once', async () => {
	const body = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } };
	for (const rpcMethod of ['l2_getNonce', 'l2_getClassHashAt'])
		await sandbox.fault({ rpcMethod, times: -1, do: { status: 200, body } });
	const parameters = {
		address: '={{ $json.address }}',
		options: { batchSize: 1, concurrency: 1 },
	};
	const { items, error } = await run('account', 'get', parameters, [
		{ address: accountOf(0) },
		{ address: accountOf(1) },
	]);
	expect(error?.message).toBeUndefined();
	expect(items.map(({ json }) => json.nonce)).toEqual([0, 0]);
	const methods = (await sandbox.record()).map(({ body: sent }) => (sent as IDataObject).method);
	expect(methods.filter((method) => method === 'starknet_getNonce')).toHaveLength(2);
	expect(await give('rpc', 'request', { method: 'starknet_blockNumber' })).toEqual([{ result: 0 }]);
});
