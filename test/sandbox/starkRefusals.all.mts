import { hash } from 'starknet';
import { BOUNDS, compileTransfer, type InvokeFields, signInvoke } from './support/starkInvoke.mts';
import { openStarkNode } from './support/starkNode.mts';
import type { StarkAccount } from '../harness/starkChain.mts';

const node = openStarkNode();
let account: StarkAccount;
let strk: string;

beforeEach(() => {
	account = node.account(0);
	strk = node.contractOf('strk');
});

const send = async (transaction: object) => await node.refusal('addInvokeTransaction', transaction);

const bounds = (name: keyof typeof BOUNDS, change: Partial<(typeof BOUNDS)['l2_gas']>) => ({
	...BOUNDS,
	[name]: { ...BOUNDS[name], ...change },
});

test('a transaction is taken once', async () => {
	const transaction = signInvoke(account);
	expect(await send(transaction)).toBeUndefined();
	expect(await send(transaction)).toBe(52);
	expect(await node.read('getNonce', 'latest', account.address)).toBe('0x1');
});

test('what waits has the same hash or the next nonce', async () => {
	await node.set({ inclusion: 'received' });
	const transaction = signInvoke(account);
	expect(await send(transaction)).toBeUndefined();
	expect(await send(transaction)).toBe(59);
	expect(await send(signInvoke(account, { nonce: '0x2' }))).toBe(52);
	expect(await send(signInvoke(account, { nonce: '0x1' }))).toBeUndefined();
	expect(await node.read('getNonce', 'latest', account.address)).toBe('0x0');
	await node.addBlocks(1);
	expect(await node.read('getNonce', 'latest', account.address)).toBe('0x2');
});

const PRIME = '0x800000000000011000000000000000000000000000000000000000000000001';

const signed = (wishes: Parameters<typeof signInvoke>[1]) => () => signInvoke(account, wishes);
const changed = (change: object) => () => ({ ...signInvoke(account), ...change });

test.each<[string, () => object, number]>([
	['another nonce', signed({ nonce: '0x1' }), 52],
	['a nonce that was not signed', changed({ nonce: '0x1', signature: ['0x1', '0x2'] }), 52],
	['another signature', changed({ signature: ['0x1', '0x2'] }), 55],
	['no signature', changed({ signature: [] }), 55],
	['other calldata than were signed', changed({ calldata: compileTransfer('0x2') }), 55],
	['another tip than was signed', changed({ tip: '0x1' }), 55],
	['another mode than was signed', changed({ fee_data_availability_mode: 'L2' }), 55],
	[
		'bounds that were not signed',
		changed({ resource_bounds: bounds('l1_gas', { max_amount: '0x1' }) }),
		55,
	],
	['the id of another chain', signed({ chainId: '0x534e5f4d41494e' }), 55],
	['too little gas', signed({ bounds: bounds('l2_gas', { max_amount: '0x1' }) }), 53],
	['too low a price', signed({ bounds: bounds('l2_gas', { max_price_per_unit: '0x1' }) }), 53],
	['too little gas for data', signed({ bounds: bounds('l1_data_gas', { max_amount: '0x0' }) }), 53],
	[
		'more than the account has',
		signed({ bounds: bounds('l2_gas', { max_amount: '0xffffffffff' }) }),
		54,
	],
	['more than it has with the tip', signed({ tip: '0xffffffffffff' }), 54],
	['a sender that is no account', changed({ sender_address: '0x123' }), 58],
	['a token as the sender', () => ({ ...signInvoke(account), sender_address: strk }), 58],
	['version 1', () => invokeOne(), 61],
	['a query', changed({ version: '0x100000000000000000000000000000003' }), 61],
	['a version that does not exist', changed({ version: '0x4' }), 61],
	['an unknown field', changed({ chain_id: '0x1' }), -32602],
	['a kind that is not invoke', changed({ type: 'DECLARE' }), -32602],
	['a leading zero', changed({ nonce: '0x00' }), -32602],
	['a nonce as a number', changed({ nonce: 0 }), -32602],
	['a tip above 64 bits', changed({ tip: '0x10000000000000000' }), -32602],
	[
		'bounds without a resource',
		changed({ resource_bounds: { l1_gas: BOUNDS.l1_gas, l2_gas: BOUNDS.l2_gas } }),
		-32602,
	],
	['a felt that is the prime', changed({ calldata: [PRIME] }), -32602],
])('%s is refused', async (_what, transaction, code) => {
	expect(await send(transaction())).toBe(code);
	expect(await node.read('blockNumber')).toBe(0);
});

const invokeOne = () => ({
	type: 'INVOKE',
	version: '0x1',
	sender_address: account.address,
	calldata: [],
	signature: [],
	nonce: '0x0',
	max_fee: '0x1',
});

test('every required field is required', async () => {
	const transaction = signInvoke(account);
	for (const name of Object.keys(transaction)) {
		const { [name]: _left, ...rest } = transaction;
		expect([name, await send(rest)]).toEqual([name, -32602]);
	}
});

test.each([
	['getNonce', ['pending', '0x1'], -32602],
	['getNonce', ['latest', '0x1'], 20],
	['getNonce', [{ block_number: 5 }, '0x1'], 24],
	['getNonce', [{ block_hash: '0x1' }, '0x1'], 24],
	['getNonce', ['0x1', 'latest'], -32602],
	['getNonce', ['latest'], -32602],
	['getClassAt', ['latest', '0x1'], 20],
	['getClass', ['latest', '0x1'], 28],
	['getTransactionByHash', ['0x1'], 29],
	['getTransactionReceipt', ['0x1'], 29],
	['getTransactionStatus', ['0x1'], 29],
	['getEvents', [{}], -32602],
	['getEvents', [{ chunk_size: 1025 }], 31],
	['getEvents', [{ chunk_size: 1, keys: [Array(17).fill('0x1')] }], 34],
	['getEvents', [{ chunk_size: 1, continuation_token: '0-0-0' }], 33],
	['getEvents', [{ chunk_size: 1, address: ['0x1'] }], -32602],
	['nothing', [], -32601],
])('%s of %j is error %i', async (method, params, code) => {
	expect(await node.refusal(method, ...(params as unknown[]))).toBe(code);
});

test('parameters come by name too, and both prefixes are answered', async () => {
	const named = { contract_address: account.address, block_id: 'latest' };
	for (const prefix of ['starknet', 'l2']) {
		expect(await node.ask(`${prefix}_getNonce`, named)).toMatchObject({ result: '0x0' });
		expect(await node.ask(`${prefix}_chainId`)).toMatchObject({ result: '0x534e5f5345504f4c4941' });
	}
	const refusal = await node.ask('starknet_getNonce', { ...named, more: 1 });
	expect(refusal.error).toMatchObject({ code: -32602, message: expect.stringContaining('"more"') });
	const lacking = await node.ask('starknet_getNonce', { contract_address: account.address });
	expect(lacking.error).toMatchObject({ message: expect.stringContaining('"block_id"') });
});

describe('a call', () => {
	const call = async (name: string, ...calldata: string[]) =>
		await node.ask('starknet_call', [
			{ contract_address: strk, entry_point_selector: hash.getSelectorFromName(name), calldata },
			'latest',
		]);

	test.each([
		['0.7', 40],
		['0.8', 21],
		['0.10', 21],
	])('of what the contract lacks is in version %s error %i', async (version, code) => {
		await node.set({ version });
		expect((await call('nothing')).error?.code).toBe(code);
	});

	test('that fails has a text in 0.7, and the calls that it came through from 0.8 on', async () => {
		const transfer = ['transfer', '0x5', '0x1', '0x0'] as const;
		await node.set({ version: '0.7' });
		const { error: old } = await call(...transfer);
		expect(old?.data).toEqual({ revert_error: expect.stringContaining("('u256_sub Overflow')") });
		await node.set({ version: '0.8' });
		const { error } = await call(...transfer);
		expect(error?.data).toMatchObject({
			revert_error: {
				contract_address: strk,
				error: "0x753235365f737562204f766572666c6f77 ('u256_sub Overflow')",
			},
		});
	});

	test('with arguments of other types fails', async () => {
		const { error } = await call('balance_of', '0x1', '0x2');
		expect(JSON.stringify(error)).toContain('Input too long for arguments');
		const tooFew = await call('transfer', '0x1', '0x2');
		expect(JSON.stringify(tooFew.error)).toContain('Failed to deserialize param #2');
	});
});

describe('a transaction that reverts', () => {
	const receiptOf = async (transaction: InvokeFields) => {
		const sent = await node.read<{ transaction_hash: string }>('addInvokeTransaction', transaction);
		return await node.read('getTransactionReceipt', sent.transaction_hash);
	};

	test('is in a block, pays and uses its nonce', async () => {
		const receipt = await receiptOf(
			signInvoke(account, { calldata: compileTransfer('0x0', '0x1') }),
		);
		expect(receipt).toMatchObject({
			execution_status: 'REVERTED',
			block_number: 1,
			revert_reason: expect.stringMatching(
				/^Transaction execution has failed:\n0: Error in.*\n1: Error in.*'u256_sub Overflow'\), 0x454e545259504f494e545f4641494c4544 \('ENTRYPOINT_FAILED'\)\)\.\n$/s,
			),
			events: [{ from_address: strk, keys: expect.arrayContaining([account.address]) }],
		});
		expect(await node.read('getNonce', 'latest', account.address)).toBe('0x1');
	});

	test('because of too little gas says so', async () => {
		const receipt = await receiptOf(
			signInvoke(account, { bounds: bounds('l2_gas', { max_amount: '0x9c400' }) }),
		);
		expect(receipt.revert_reason).toMatch(/Insufficient max L2Gas: max amount: 640000/);
	});

	test('makes an estimate fail, which names it', async () => {
		const good = { ...signInvoke(account), signature: [] };
		const bad = signInvoke(account, { nonce: '0x1', calldata: compileTransfer('0x0', '0x1') });
		const { error } = await node.ask('starknet_estimateFee', [
			[good, bad],
			['SKIP_VALIDATE'],
			'latest',
		]);
		expect(error).toMatchObject({ code: 41, data: { transaction_index: 1 } });
		const unsigned = await node.ask('starknet_estimateFee', [[good], [], 'latest']);
		expect(JSON.stringify(unsigned.error)).toContain('Account: invalid signature');
	});
});
