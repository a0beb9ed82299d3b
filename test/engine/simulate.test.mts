import type { INodeParameters } from 'n8n-workflow';
import { L2Simulate } from '../../nodes/L2Simulate/L2Simulate.node';
import { runNode } from '../harness/engine.mts';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox();

const INVOKE = {
	type: 'INVOKE',
	max_fee: '0x28ed6103d0000',
	version: '0x1',
	signature: ['0x1', '0x2'],
	sender_address: '0x0143fe26927dd6a302522ea1cd6a821ab06b3753194acee38d88a85c93b3cbc6',
	calldata: ['0x1', '0x2', '0x3'],
	nonce: '0x5',
};

async function simulate(parameters: INodeParameters) {
	return await runNode({
		node: new L2Simulate(),
		parameters: { operation: 'simulate', transactions: JSON.stringify(INVOKE), ...parameters },
		credentials: sandbox.credentials.token,
	});
}

async function call() {
	const seen = (await sandbox.record()).map(({ path, body }) => ({
		path,
		body: body as { method: string; params: unknown[] },
	}));
	return seen.find(({ body }) => body.method === 'l2_simulateTransactions');
}

test('the documented example is sent with the same numbers, without leading zeros', async () => {
	await simulate({
		blockBy: 'number',
		blockNumber: '0x3e8',
		simulationFlags: ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'],
	});
	expect(await call()).toEqual({
		path: '',
		body: {
			jsonrpc: '2.0',
			method: 'l2_simulateTransactions',
			params: [
				{ block_number: 1000 },
				[{ ...INVOKE, sender_address: INVOKE.sender_address.replace('0x0', '0x') }],
				['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'],
			],
			id: 0,
		},
	});
});

test('each transaction is an item, a revert inside a result is output', async () => {
	const reverting = { ...INVOKE, calldata: ['0xdead'] };
	const { items, error } = await simulate({ transactions: JSON.stringify([INVOKE, reverting]) });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(2);
	expect(items[0]?.json).toHaveProperty('fee_estimation.overall_fee');
	expect(items[1]?.json).toHaveProperty('transaction_trace.execute_invocation.revert_reason');
});

test('transactions of version 3 are built from fields, with what is not added empty', async () => {
	const { error, items } = await simulate({
		inputMode: 'fields',
		transactionFields: {
			transaction: [
				{
					version: '0x3',
					maxFee: 'left over from version 1',
					senderAddress: INVOKE.sender_address,
					version3: {
						l2GasMaxAmount: '1000000',
						l2GasMaxPrice: 20,
						tip: '0x7',
						paymasterData: '1',
					},
				},
				{ version: '={{ 3 }}', senderAddress: '0x1' },
			],
		},
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(2);
	const none = { max_amount: '0x0', max_price_per_unit: '0x0' };
	const empty = {
		type: 'INVOKE',
		version: '0x3',
		signature: [],
		sender_address: '0x1',
		calldata: [],
		nonce: '0x0',
		resource_bounds: { l1_gas: none, l1_data_gas: none, l2_gas: none },
		tip: '0x0',
		paymaster_data: [],
		account_deployment_data: [],
		nonce_data_availability_mode: 'L1',
		fee_data_availability_mode: 'L1',
	};
	const bounds = {
		...empty.resource_bounds,
		l2_gas: { max_amount: '0xf4240', max_price_per_unit: '0x14' },
	};
	expect((await call())?.body.params[1]).toEqual([
		{
			...empty,
			sender_address: INVOKE.sender_address.replace('0x0', '0x'),
			resource_bounds: bounds,
			tip: '0x7',
			paymaster_data: ['0x1'],
		},
		empty,
	]);
});

test.each([
	[{ version: '2' }, /^'Transactions > Transaction 1 > Version' must be 1 or 3/],
	[
		{ version: '0x3', version3: { tip: '0x10000000000000000' } },
		/^'Transactions > Transaction 1 > Version 3 Fields > Tip' must be a whole number of 0 or more, below 2\^64/,
	],
])('a transaction such as %p is refused by the field', async (entry, message) => {
	const transaction = [{ senderAddress: '0x1', ...entry }];
	const { error } = await simulate({ inputMode: 'fields', transactionFields: { transaction } });
	expect(error?.message).toMatch(message);
});

test.each([
	[
		'a block that does not exist',
		{ blockBy: 'number', blockNumber: '2000000' },
		/Block not found/,
		/code 24/,
	],
	[
		'a failed execution',
		{ transactions: JSON.stringify({ ...INVOKE, nonce: '0xbad' }) },
		/./,
		/code 41\. Details: .*execution_error/,
	],
])('%s is an error in the words of the node', async (_, parameters, message, description) => {
	const { error } = await simulate(parameters);
	expect(error?.message).toMatch(message);
	expect(error?.description).toMatch(description);
});
