import { hash as clientHash } from 'starknet';
import { compileTransfer, signInvoke } from './support/starkInvoke.mts';
import { openStarkNode } from './support/starkNode.mts';
import {
	findTypeProblems,
	listIdleCorrections,
	TYPED_VERSIONS,
	type Exchange,
	type TypedVersion,
} from './support/starkTypes.mts';

const node = openStarkNode();
const { account, contractOf: addressOf } = node;

const LEGACY_BOUNDS = { l1_gas: { max_amount: '0xf4240', max_price_per_unit: '0x2d79883d2000' } };
const NOTHING = { max_amount: '0x0', max_price_per_unit: '0x0' };

/** Builds a signed transfer of STRK. The amount can exceed the balance of the account. */
function buildInvoke(version: TypedVersion, wishes: Parameters<typeof signInvoke>[1] = {}) {
	const bounds = { ...LEGACY_BOUNDS, l2_gas: NOTHING };
	// Version 0.7 has no data gas.
	return version === '0.7'
		? { ...signInvoke(account(0), wishes), resource_bounds: bounds }
		: signInvoke(account(0), wishes);
}

/** Calls every method of the sandbox, and returns each request with its answer. */
async function exchangeAll(version: TypedVersion): Promise<Exchange[]> {
	const seen: Exchange[] = [];
	const ask = async (method: string, ...params: unknown[]) => {
		const { result, error } = await node.ask(`starknet_${method}`, params);
		seen.push({ method, part: 'params', value: params });
		seen.push(
			error ? { method, part: 'errors', value: error } : { method, part: 'result', value: result },
		);
		return result;
	};
	await node.set({ version });
	const to = addressOf('everything');
	const { transaction_hash: hash } = await node.send(
		{ to, function: 'emit_many', calldata: ['0x2'] },
		{ to, function: 'emit_nested', calldata: ['0x99'] },
	);
	const failing = { contract_address: to, calldata: ['0x1', '0x68656c6c6f'] };
	await node.set({ version, inclusion: 'making' });
	await node.send({ to, function: 'emit_many', calldata: ['0x1'] });
	const being = version === '0.7' || version === '0.8' ? 'pending' : 'pre_confirmed';
	for (const method of ['specVersion', 'chainId', 'blockNumber', 'blockHashAndNumber', 'syncing'])
		await ask(method);
	for (const block of ['latest', being, { block_number: 0 }, { block_number: 900 }]) {
		await ask('getBlockWithTxHashes', block);
		await ask('getBlockWithTxs', block);
		await ask('getBlockWithReceipts', block);
		await ask('getBlockTransactionCount', block);
		await ask('getStateUpdate', block);
	}
	for (const name of ['newToken', 'oldToken', 'everything']) {
		const classHash = await ask('getClassHashAt', 'latest', addressOf(name));
		await ask('getClassAt', 'latest', addressOf(name));
		await ask('getClass', 'latest', classHash);
	}
	await ask('getClassHashAt', 'latest', '0x1234');
	await ask('getClass', 'latest', '0x1234');
	await ask('getNonce', being, account(0).address);
	await ask(
		'call',
		{ ...failing, entry_point_selector: clientHash.getSelectorFromName('fail') },
		'latest',
	);
	await ask('call', { ...failing, entry_point_selector: '0x1' }, 'latest');
	const balance = { contract_address: addressOf('strk'), calldata: [account(0).address] };
	await ask(
		'call',
		{ ...balance, entry_point_selector: clientHash.getSelectorFromName('balanceOf') },
		being,
	);
	const filter = { from_block: { block_number: 0 }, to_block: being, keys: [[], ['0x0', '0x1']] };
	await ask('getEvents', { ...filter, chunk_size: 1 });
	await ask('getEvents', { address: to, chunk_size: 100 });
	await ask('getEvents', { chunk_size: 1, continuation_token: 'none' });
	await ask('getEvents', { chunk_size: 99999 });
	for (const known of [hash, '0x1234']) {
		await ask('getTransactionByHash', known);
		await ask('getTransactionReceipt', known);
		await ask('getTransactionStatus', known);
		await ask('traceTransaction', known);
	}
	await ask('getTransactionByBlockIdAndIndex', { block_number: 1 }, 0);
	await ask('getTransactionByBlockIdAndIndex', { block_number: 1 }, 99);
	const invoke = buildInvoke(version, { nonce: '0x2' });
	const tooMuch = buildInvoke(version, { nonce: '0x2', calldata: compileTransfer('0x0', '0x1') });
	for (const one of [invoke, tooMuch]) {
		await ask('estimateFee', [one], ['SKIP_VALIDATE'], being);
		await ask('simulateTransactions', being, [one], ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE']);
	}
	await ask('addInvokeTransaction', invoke);
	await ask('addInvokeTransaction', { ...invoke, signature: ['0x1', '0x2'], nonce: '0x3' });
	await ask('addInvokeTransaction', { ...invoke, nonce: '0x77' });
	await ask('addInvokeTransaction', { ...invoke, sender_address: to });
	return seen;
}

test.each(TYPED_VERSIONS)(
	'what the sandbox answers in version %s is of its types',
	async (version) => {
		const seen = await exchangeAll(version);
		expect(findTypeProblems(version, seen)).toEqual([]);
	},
);

const RECEIPT = {
	type: 'INVOKE',
	transaction_hash: '0x1',
	actual_fee: { amount: '0x1', unit: 'FRI' },
	execution_status: 'SUCCEEDED',
	finality_status: 'ACCEPTED_ON_L2',
	messages_sent: [],
	events: [],
	execution_resources: { l1_gas: 0, l1_data_gas: 0, l2_gas: 0 },
	block_hash: '0x2',
	block_number: 1,
};

test('what a node would answer is let through', () => {
	const seen = [{ method: 'getTransactionReceipt', part: 'result', value: RECEIPT }] as const;
	expect(findTypeProblems('0.8', seen)).toEqual([]);
});

test.each<[string, string, object | string, RegExp]>([
	['more than it may', 'getTransactionReceipt', { ...RECEIPT, more: 1 }, /known properties.*more/],
	[
		'more than it may, far inside',
		'getTransactionReceipt',
		{ ...RECEIPT, actual_fee: { ...RECEIPT.actual_fee, more: 1 } },
		/known properties.*more/,
	],
	['less than it must', 'getTransactionReceipt', { ...RECEIPT, events: undefined }, /events/],
	['a wrong name', 'getTransactionReceipt', { ...RECEIPT, finality_status: 'DONE' }, /"DONE"/],
	['a wrong kind', 'getTransactionReceipt', { ...RECEIPT, block_number: '0x1' }, /string/],
	['a felt with a zero in front', 'getNonce', '0x01', /0x01 is no felt/],
])('%s is refused', (_, method, value, words) => {
	const problems = findTypeProblems('0.8', [{ method, part: 'result', value }]);
	expect(problems).toHaveLength(1);
	expect(problems[0]).toMatch(words);
});

test('each correction of the types corrects something', () => {
	expect(listIdleCorrections()).toEqual([]);
});
