import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { TronWeb, utils } from 'tronweb';
import {
	createContracts,
	KEY,
	LEADER,
	NOWHERE,
	OTHER,
	OWNER,
	signed,
	toWord,
} from './support/contracts.mts';

const { sandbox, wallet, first, contracts, carryOut } = createContracts();

const call = (
	contract: string,
	signature: string,
	args: unknown = [],
	more: INodeParameters = {},
) => ({
	resource: 'contract',
	operation: 'call',
	contract,
	function: signature,
	argumentsBy: 'json',
	arguments: JSON.stringify(args),
	...more,
});

describe('a contract is called', () => {
	test('by its function, with an address in base58', async () => {
		const signature = 'balanceOf(address owner) view returns (uint256)';
		expect(await first(call(contracts.coin, signature, [OWNER]))).toEqual({
			result: '500000000',
			energyUsed: expect.any(Number),
		});
		const [seen] = await sandbox.record();
		expect(seen?.body).toMatchObject({ function_selector: 'balanceOf(address)' });
	});

	test.each(['contract and argument in hex', 'in base58'])('with addresses: %s', async (form) => {
		const written = (address: string) =>
			form === 'in base58' ? address : utils.address.toHex(address);
		const signature = 'balanceOf(address owner) view returns (uint256)';
		const answer = await first(call(written(contracts.coin), signature, [written(OWNER)]));
		expect(answer.result).toBe('500000000');
	});

	const LINE = '(uint48 number, string text)';
	const ORDER = `(uint256 id, address maker, ${LINE}[] lines, bytes4 tag, int24[2] range, bool isOpen)`;
	const order = {
		id: '7',
		maker: LEADER,
		lines: [{ number: 5, text: `0x${'ab'.repeat(20)}` }],
		tag: '0x01020304',
		range: [-1, 1],
		isOpen: true,
	};

	test('and gives addresses in base58, in structs too, and text as it is', async () => {
		const echo = `echo(${ORDER} order) pure returns (${ORDER})`;
		expect((await first(call(contracts.shapes, echo, [order]))).result).toEqual(order);
		const split = `split(${ORDER} order) pure returns (uint256 id, address maker, int24[2] range)`;
		expect(await first(call(contracts.shapes, split, [order]))).toMatchObject({
			id: '7',
			maker: LEADER,
		});
	});

	test('with addresses in lists and tuples', async () => {
		const words = [0x20n, 2n, toWord(LEADER), toWord(OWNER)];
		const constant_result = [words.map((one) => one.toString(16).padStart(64, '0')).join('')];
		const body = { result: { result: true }, constant_result };
		await sandbox.fault({ path: 'triggerconstant', do: { status: 200, body } });
		const signature =
			'of(address[] some, (address a, bool b)[1] more) view returns (address[] all)';
		const args = [[OWNER, utils.address.toHex(LEADER)], [[OTHER, true]]];
		expect((await first(call(contracts.coin, signature, args))).result).toEqual([LEADER, OWNER]);
		const [seen] = await sandbox.record();
		const given = [0x60n, toWord(OTHER), 1n, 2n, toWord(OWNER), toWord(LEADER)];
		expect(seen?.body).toMatchObject({
			function_selector: 'of(address[],(address,bool)[1])',
			parameter: given.map((one) => one.toString(16).padStart(64, '0')).join(''),
		});
	});

	test.each(['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', LEADER.toLowerCase(), 5, ''])(
		'%p is no address here',
		async (address) => {
			const signature = 'balanceOf(address owner) view returns (uint256)';
			const { error } = await wallet(call(contracts.coin, signature, [address]));
			expect(error?.message).toMatch(/^'Arguments > owner' must be an address/);
			expect(await sandbox.record()).toEqual([]);
		},
	);

	test('a revert is decoded by the ABI', async () => {
		const abi = `fail(uint256 available, uint256 wanted) pure\nerror TooLittle(uint256 available, uint256 wanted, string reason)`;
		const { error } = await wallet(call(contracts.shapes, abi, [5, 10]));
		expect(error?.message).toBe(
			'The contract reverted with TooLittle(available: 5, wanted: 10, reason: "zu wenig – ∞")',
		);
	});

	test('a revert that nobody declared has its data', async () => {
		const { error } = await wallet(
			call(contracts.shapes, 'fail(uint256 a, uint256 b) pure', [5, 10]),
		);
		expect(error?.message).toMatch(/^The contract reverted with data 0x[0-9a-f]{8}/);
	});

	test('a panic is reported', async () => {
		const transfer = 'transfer(address to, uint256 amount) returns (bool)';
		const { error } = await wallet(call(contracts.coin, transfer, [LEADER, 5]));
		expect(error?.message).toMatch(/panic 0x11 \(arithmetic overflow or underflow\)/);
		const mine = call(contracts.coin, transfer, [LEADER, 5], { ownerAddress: OWNER });
		expect((await first(mine)).result).toBe(true);
	});

	test('where there is none', async () => {
		const { error } = await wallet(call(NOWHERE, 'decimals() view returns (uint8)'));
		expect(error?.message).toBe('Contract validate error : Smart contract is not exist.');
		expect(error?.description).toMatch(/CONTRACT_VALIDATE_ERROR/);
	});

	test('a call that failed without words has failed all the same', async () => {
		const body = {
			result: { result: true },
			constant_result: ['00'.repeat(32)],
			transaction: { ret: [{ ret: 'FAILED' }] },
		};
		await sandbox.fault({ do: { status: 200, body } });
		const { error } = await wallet(call(contracts.coin, 'decimals() view returns (uint8)'));
		expect(error?.message).toMatch(/^The (call failed|contract reverted)/);
	});

	test.each([
		[{ result: { result: true }, constant_result: ['zz'] }],
		[{ result: { result: true }, constant_result: [5] }],
		[{ constant_result: ['00'] }],
		[[]],
		[{ result: { result: true }, constant_result: ['00'], energy_used: 'much' }],
		[{ result: { result: true }, constant_result: ['00'], energy_used: -1 }],
		[{ result: { result: false }, constant_result: [5n.toString(16).padStart(64, '0')] }],
		[{ result: {}, constant_result: [5n.toString(16).padStart(64, '0')] }],
	])('%o is no answer', async (body) => {
		await sandbox.fault({ do: { status: 200, body } });
		const { error } = await wallet(call(contracts.coin, 'decimals() view returns (uint8)'));
		expect(error?.message).toBe('The service did not answer with a result');
	});
});

/** Encodes the data of a revert with a text as its reason. */
function encodeRevert(words: string): string {
	const text = Buffer.from(words);
	const [offset, length] = [32, text.length].map((one) => one.toString(16).padStart(64, '0'));
	return `08c379a0${offset}${length}${text.toString('hex').padEnd(64, '0')}`;
}

const tokenTransfer = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'transaction',
	operation: 'buildTokenTransfer',
	ownerAddress: OWNER,
	token: contracts.coin,
	toAddress: LEADER,
	amount: '25.5',
	...more,
});

describe('a token transfer', () => {
	test.each([true, false])(
		'is built from the decimals of the token (visible %p)',
		async (visible) => {
			const form = (address: string) => (visible ? address : utils.address.toHex(address));
			const built = await first(
				tokenTransfer({
					visible,
					ownerAddress: form(OWNER),
					token: form(contracts.coin),
					toAddress: form(LEADER),
				}),
			);
			const [, , seen] = await sandbox.record();
			expect(seen).toMatchObject({
				path: '/wallet/triggersmartcontract',
				body: {
					owner_address: form(OWNER),
					contract_address: form(contracts.coin),
					function_selector: 'transfer(address,uint256)',
					parameter: `${toWord(LEADER).toString(16).padStart(64, '0')}${(25_500_000).toString(16).padStart(64, '0')}`,
					fee_limit: 100_000_000,
					call_value: 0,
					visible,
				},
			});
			const { contract: _contract, ...header } = built.raw_data as IDataObject;
			const { fee_limit: feeLimit, ...blockHeader } = header;
			const { transaction } = await new TronWeb({
				fullHost: 'http://127.0.0.1:1',
			}).transactionBuilder.triggerSmartContract(
				contracts.coin,
				'transfer(address,uint256)',
				{ feeLimit, txLocal: true, blockHeader } as never,
				[
					{ type: 'address', value: LEADER },
					{ type: 'uint256', value: 25_500_000 },
				],
				OWNER,
			);
			expect(built.raw_data_hex).toBe(transaction.raw_data_hex);
		},
	);

	test('of more than the account has is refused with its reason, and not built', async () => {
		const { error, items } = await wallet(tokenTransfer({ amount: '1000000' }));
		expect(error?.message).toBe(
			'The contract reverted with panic 0x11 (arithmetic overflow or underflow)',
		);
		expect(items).toEqual([]);
		const paths = (await sandbox.record()).map(({ path }) => path);
		expect(paths).toEqual(['/wallet/triggerconstantcontract', '/wallet/triggerconstantcontract']);
	});

	test('that the token refuses has its words, and is not built', async () => {
		const answers = [
			{ result: { result: true }, constant_result: [(6).toString(16).padStart(64, '0')] },
			{
				result: { result: true, message: Buffer.from('REVERT opcode executed').toString('hex') },
				constant_result: [encodeRevert('account is blacklisted')],
			},
		];
		for (const body of answers)
			await sandbox.fault({ path: 'triggerconstant', do: { status: 200, body } });
		const { error } = await wallet(tokenTransfer());
		expect(error?.message).toBe('The contract reverted with account is blacklisted');
		const paths = (await sandbox.record()).map(({ path }) => path);
		expect(paths).not.toContain('/wallet/triggersmartcontract');
	});

	test('that returns false is built: tokens return it for what they have done, too', async () => {
		const answers = ['6', '0'].map((hex) => hex.padStart(64, '0'));
		for (const returned of answers) {
			const body = { result: { result: true }, constant_result: [returned] };
			await sandbox.fault({ path: 'triggerconstant', do: { status: 200, body } });
		}
		expect(await first(tokenTransfer())).toHaveProperty('txID');
	});

	test('is tried by its own account, with its own data', async () => {
		await first(tokenTransfer());
		const [, tried, built] = await sandbox.record();
		const { function_selector, parameter } = built?.body as IDataObject;
		expect(tried?.body).toEqual({
			owner_address: utils.address.toHex(OWNER).toLowerCase(),
			contract_address: utils.address.toHex(contracts.coin).toLowerCase(),
			function_selector,
			parameter,
			visible: false,
		});
	});

	test('asks for the decimals once in a run', async () => {
		const items = [1, 2, 3].map((amount) => ({ json: { amount } }));
		const { items: built } = await wallet(tokenTransfer({ amount: '={{ $json.amount }}' }), {
			items,
		});
		expect(built).toHaveLength(3);
		expect(await sandbox.record()).toHaveLength(7);
	});

	test('asks for them again when they could not be read', async () => {
		const items = [1, 2, 3, 4].map((amount) => ({ json: { amount } }));
		await sandbox.fault({ path: 'triggerconstant', do: { status: 200, body: { Error: 'no' } } });
		const { items: built } = await wallet(
			tokenTransfer({ amount: '={{ $json.amount }}', options: { concurrency: 1 } }),
			{ items, onError: 'continueRegularOutput' },
		);
		expect(built[0]?.json).toMatchObject({ error: 'no' });
		expect(built[3]?.json).toHaveProperty('txID');
	});

	test.each<[string, number | bigint | undefined, string, RegExp]>([
		['no', undefined, '1', /does not report its number of decimals/],
		['255', 255, '1', /'Amount' must be an amount below 2\^256 in the smallest unit/],
		['0', 0, '25.5', /'Amount' must be an amount with at most 0 decimals/],
		['256', 256, '1', /does not report its number of decimals/],
		['all bits', 2n ** 256n - 1n, '1', /does not report its number of decimals/],
	])('of a token that says %s decimals is refused', async (_name, decimals, amount, words) => {
		const constant_result = [decimals?.toString(16).padStart(64, '0') ?? ''];
		const body = { result: { result: true }, constant_result };
		await sandbox.fault({ path: 'triggerconstant', do: { status: 200, body } });
		expect((await wallet(tokenTransfer({ amount }))).error?.message).toMatch(words);
		expect(await sandbox.record()).toHaveLength(1);
	});

	test.each([
		[{ result: { result: false } }],
		[{ result: { result: true } }],
		[{ result: { result: true }, transaction: [] }],
		[[]],
	])('%o is no transaction', async (body) => {
		await sandbox.fault({ path: 'triggersmart', do: { status: 200, body } });
		expect((await wallet(tokenTransfer())).error?.message).toBe(
			'The service did not answer with a transaction',
		);
	});

	test.each([
		['1.0000001', /'Amount' must be an amount with at most 6 decimals/],
		['-1', /'Amount' must be an amount of 0 or more/],
		['0x10', /'Amount' must be/],
	])('of %p is refused', async (amount, words) => {
		expect((await wallet(tokenTransfer({ amount }))).error?.message).toMatch(words);
	});

	test('to the zero address or to the token itself is refused, and nothing is asked', async () => {
		const own = await wallet(tokenTransfer({ toAddress: contracts.coin }));
		expect(own.error?.message).toMatch(/another address than the token's own contract/);
		const none = await wallet(tokenTransfer({ toAddress: NOWHERE }));
		expect(none.error?.message).toMatch(/another address than the zero address/);
		expect(await sandbox.record()).toEqual([]);
	});

	test.each([
		['amount', { amount: '26' }, /transaction.data is/],
		['receiver', { toAddress: OTHER }, /transaction.data is/],
		['owner', { ownerAddress: OTHER }, /transaction.owner_address is/],
		['fee limit', { feeLimit: '101' }, /transaction.fee_limit is 101000000, not 100000000/],
	])('a node that builds one of another %s builds nothing', async (_name, other, words) => {
		const transaction = await first(tokenTransfer(other));
		const body = { result: { result: true }, transaction };
		await sandbox.fault({ path: 'triggersmart', do: { status: 200, body } });
		expect((await wallet(tokenTransfer())).error?.message).toMatch(words);
	});
});

describe('tronweb, by its own client', () => {
	const client = () => {
		const { nodeUrl, authToken } = sandbox;
		return new TronWeb({ fullHost: `${nodeUrl}/${authToken}`, privateKey: KEY });
	};

	test('signs what this node built, and sees the same in the end', async () => {
		const built = await first(tokenTransfer());
		const outcome = await carryOut(built);
		expect(outcome).toMatchObject({ status: 'success', contractResult: 'SUCCESS', reason: null });
		expect(outcome.energyUsed).toBeGreaterThan(10_000);
		const info = await client().trx.getTransactionInfo(String(built.txID));
		expect(info).toMatchObject({ id: built.txID, blockNumber: outcome.blockNumber });
		expect(info.receipt).toMatchObject({ energy_usage_total: outcome.energyUsed });
		const signature = 'balanceOf(address owner) view returns (uint256)';
		const balance = (await first(call(contracts.coin, signature, [LEADER]))).result;
		expect(Number(balance)).toBeGreaterThanOrEqual(25_500_000);
	});

	test('builds, signs and sends by itself, and this node sees it', async () => {
		const tronWeb = client();
		const sent = await tronWeb.trx.sendTransaction(LEADER, 1_500_000);
		expect(sent).toMatchObject({ result: true });
		expect(
			await first({ resource: 'transaction', operation: 'wait', transactionId: sent.txid }),
		).toMatchObject({ status: 'success' });
		const account = await first({ resource: 'account', operation: 'get', address: LEADER });
		expect(account.balance).toBe('20001.5');
		expect(await tronWeb.trx.getUnconfirmedBalance(LEADER)).toBe(20_001_500_000);
	});

	test('broadcasts a contract call twice at once, and it is carried out once', async () => {
		const { trx } = client();
		const transaction = signed(await first(tokenTransfer({ amount: '1' })));
		const both = await Promise.all(
			[1, 2].map(async () => await trx.sendRawTransaction(transaction as never)),
		);
		expect(both.filter(({ result }) => result)).toHaveLength(1);
		expect(both.filter(({ code }) => String(code) === 'DUP_TRANSACTION_ERROR')).toHaveLength(1);
	});

	test('a failure has its reason', async () => {
		const half = { amount: '300' };
		const [one, other] = [await first(tokenTransfer(half)), await first(tokenTransfer(half))];
		await carryOut(one);
		expect(await carryOut(other)).toMatchObject({
			status: 'failed',
			contractResult: 'REVERT',
			reason: 'panic 0x11 (arithmetic overflow or underflow)',
		});
		const cheap = await first(tokenTransfer({ feeLimit: '0.1' }));
		expect(await carryOut(cheap)).toMatchObject({
			status: 'failed',
			contractResult: 'OUT_OF_ENERGY',
			fee: '0.1',
			reason: expect.stringMatching(/^Not enough energy/),
		});
	});
});
