import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { L2Simulate } from '../../nodes/L2Simulate/L2Simulate.node';
import { runNode } from '../harness/engine.mts';
import { createStarkChain, padFelt, readStarkInfo } from '../harness/starkChain.mts';

const { sandbox, accountOf, contractOf, set } = createStarkChain();

async function simulate(calls: unknown, other: INodeParameters = {}) {
	return await runNode({
		node: new L2Simulate(),
		parameters: {
			operation: 'simulate',
			inputMode: 'calls',
			senderAddress: accountOf(0),
			calls: typeof calls === 'string' ? calls : JSON.stringify(calls),
			...other,
		},
		credentials: sandbox.credentials.token,
	});
}

const transfer = (amount: unknown) => ({
	contract: contractOf('newToken'),
	function: 'transfer',
	arguments: { recipient: accountOf(1), amount },
});

// Account 3 is a contract in Cairo 0, which takes its calls in another layout.
test.each([
	['0.7', 0],
	['0.8', 0],
	['0.9', 0],
	['0.10', 0],
	['0.10', 3],
])(
	'calls are simulated with their names in version %s, by account %p',
	async (version, account) => {
		await set({ version });
		const emit = {
			contract: contractOf('everything'),
			function: 'emit_plain',
			arguments: ['9', 'a note'],
		};
		const { items, error } = await simulate([transfer('2500000'), emit], {
			senderAddress: accountOf(account),
		});
		expect(error?.message).toBeUndefined();
		const [result] = items.map(({ json }) => json);
		expect(result).toMatchObject({
			success: true,
			revertReason: null,
			fee: expect.stringMatching(/^0\.\d+$/) as string,
			feeUnit: 'STRK',
			calls: [
				{
					contract: padFelt(contractOf('newToken')),
					function: 'transfer',
					args: { recipient: padFelt(accountOf(1)), amount: '2500000' },
					result: true,
					calls: [],
				},
				{
					contract: padFelt(contractOf('everything')),
					function: 'emit_plain',
					args: { id: '9', note: 'a note' },
				},
			],
		});
		const events = (result?.events as IDataObject[]).map(({ contract, event }) => [
			contract,
			event,
		]);
		expect(events).toContainEqual([padFelt(contractOf('newToken')), 'Transfer']);
		expect(events).toContainEqual([padFelt(contractOf('everything')), 'Plain']);
		expect((await readStarkInfo(sandbox.control)).head.number).toBe(0);
	},
);

test.each(['0.7', '0.8', '0.10'])(
	'what would revert is an item with the reason, in version %s',
	async (version) => {
		await set({ version });
		const { items, error } = await simulate([transfer(String(10n ** 30n))]);
		expect(error?.message).toBeUndefined();
		const [result] = items.map(({ json }) => json);
		expect(result?.success).toBe(false);
		expect(result?.revertReason).toMatch(/insufficient|Overflow/i);
		expect(result?.revertReason).not.toMatch(/ENTRYPOINT_FAILED|0x/);
	},
);

test('a sender without the coins for the fee is simulated, unless the fee is asked for', async () => {
	await set({ prices: { l2: '9'.repeat(30) } });
	const { items, error } = await simulate([transfer(1)]);
	expect(error?.message).toBeUndefined();
	expect(items[0]?.json.success).toBe(true);
	const charged = await simulate([transfer(1)], { simulationFlags: ['SKIP_VALIDATE'] });
	expect(charged.error?.description).toMatch(/exceed the balance/);
	const chosen = await simulate([transfer(1)], { simulationFlags: ['SKIP_FEE_CHARGE'] });
	expect(chosen.items[0]?.json.success).toBe(true);
});

test.each(['0.7', '0.10'])(
	'what the package gives with leading zeros is taken by a strict node of version %s',
	async (version) => {
		await set({ version });
		const block = (await sandbox.control('GET', '/stark')) as { head: { hash: string } };
		const fields = {
			blockBy: 'hash',
			blockHash: padFelt(block.head.hash),
			simulationFlags: ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'],
			simplify: true,
		};
		const given = {
			version: '0x3',
			senderAddress: padFelt(accountOf(0)),
			calldata: padFelt('0x0'),
			signature: padFelt('0x1'),
			nonce: padFelt('0x0'),
			version3: { l1GasMaxAmount: '0xffffff' },
		};
		const built = await simulate('[]', {
			...fields,
			inputMode: 'fields',
			transactionFields: { transaction: [given] },
		});
		expect(built.error?.message).toBeUndefined();
		const none = { max_amount: '0x00', max_price_per_unit: '0x00' };
		const json = {
			type: 'INVOKE',
			version: '0x03',
			sender_address: padFelt(accountOf(0)),
			calldata: [padFelt('0x0')],
			signature: [padFelt('0x1')],
			nonce: padFelt('0x0'),
			resource_bounds: {
				l1_gas: none,
				l2_gas: none,
				...(version === '0.10' && { l1_data_gas: none }),
			},
			tip: '0x00',
			paymaster_data: [],
			account_deployment_data: [],
			nonce_data_availability_mode: 'L1',
			fee_data_availability_mode: 'L1',
		};
		const written = await simulate('[]', { ...fields, inputMode: 'json', transactions: [json] });
		expect(written.error?.message).toBeUndefined();
		expect(written.items).toHaveLength(1);
	},
);

test('the answer comes as it is where it shall not be simplified', async () => {
	const { items } = await simulate([transfer(1)], { simplify: false });
	expect(items[0]?.json).toHaveProperty('transaction_trace.execute_invocation.calls');
});

test.each<[string, (call: ReturnType<typeof transfer>) => unknown, RegExp]>([
	['no list', () => 'x', /^'Calls' must be valid JSON/],
	['an empty list', () => [], /^'Calls' must be a JSON list of calls/],
	[
		'a call without a function',
		({ contract }) => [{ contract }],
		/^'Calls' must be a JSON list of calls/,
	],
	['no address', (call) => [{ ...call, contract: 'x' }], /^'Calls' must be an address/],
	[
		'a function that is not there',
		(call) => [call, { ...call, function: 'transfr' }],
		/^'Calls > Call 2 > Function' must be a function of the contract, such as transfer/,
	],
	[
		'an amount that is too large',
		(call) => [{ ...call, arguments: { ...call.arguments, amount: String(2n ** 256n) } }],
		/^'Calls > Call 1 > Arguments > amount' must be/,
	],
	[
		'a contract that is not there',
		(call) => [{ ...call, contract: '0x99' }],
		/^There is no contract at 0x0+99$/,
	],
])('%s is refused in words', async (_, change, message) => {
	const { error } = await simulate(change(transfer(1)));
	expect(error?.message).toMatch(message);
});

test('a sender that is no account is reported as that', async () => {
	const { error } = await simulate([transfer(1)], { senderAddress: '0x99' });
	expect(error?.message).toMatch(/^There is no account at 0x0+99$/);
});
