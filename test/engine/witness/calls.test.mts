import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { TronWeb } from 'tronweb';
import { createContracts, hexOf, LEADER, NOWHERE, OTHER, OWNER } from './support/contracts.mts';

const { sandbox, wallet, first, contracts, carryOut } = createContracts();

const called =
	(operation: string) =>
	(contract: string, signature: string, args: unknown = []) => ({
		resource: 'contract',
		operation,
		ownerAddress: OWNER,
		contract,
		function: signature,
		argumentsBy: 'json',
		arguments: JSON.stringify(args),
	});
const buildCall = called('buildCall');
const estimate = called('estimateEnergy');
const TRANSFER = 'transfer(address to, uint256 amount) returns (bool)';
const PAY = 'pay(address to) payable';
const FAIL = 'fail(uint256 available, uint256 wanted) pure';
const TOO_LITTLE = 'error TooLittle(uint256 available, uint256 wanted, string reason)';

const approval = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'transaction',
	operation: 'buildTokenApproval',
	ownerAddress: OWNER,
	token: contracts.coin,
	spender: LEADER,
	amount: '25.5',
	...more,
});

const { transactionBuilder } = new TronWeb({ fullHost: 'http://127.0.0.1:1' });

interface TronwebCall {
	readonly contract: string;
	readonly signature: string;
	readonly options?: object;
	readonly args: Array<{ type: string; value: unknown }>;
}

/** Builds the same call with tronweb, with the block and the times of the tested transaction. */
async function buildAlike(ours: IDataObject, { contract, signature, options, args }: TronwebCall) {
	const { contract: _contract, fee_limit: feeLimit, ...blockHeader } = ours.raw_data as IDataObject;
	const { transaction } = await transactionBuilder.triggerSmartContract(
		contract,
		signature,
		{ feeLimit, txLocal: true, blockHeader, ...options } as never,
		args as never,
		OWNER,
	);
	return transaction.raw_data_hex;
}

describe('a call is built', () => {
	test.each([true, false])('with the bytes of tronweb (visible %p)', async (visible) => {
		const form = (address: string) => (visible ? address : hexOf(address));
		const asked = buildCall(form(contracts.coin), TRANSFER, [LEADER, '5']);
		const ours = await first({ ...asked, ownerAddress: form(OWNER), visible, feeLimit: '7.5' });
		expect(ours).toMatchObject({ visible, raw_data: { fee_limit: 7_500_000 } });
		const theirs = await buildAlike(ours, {
			contract: contracts.coin,
			signature: 'transfer(address,uint256)',
			args: [
				{ type: 'address', value: LEADER },
				{ type: 'uint256', value: 5 },
			],
		});
		expect(ours.raw_data_hex).toBe(theirs);
	});

	test('with coins along, which are paid when it is broadcast', async () => {
		const ours = await first({ ...buildCall(contracts.forger, PAY, [OTHER]), amount: '1.5' });
		const theirs = await buildAlike(ours, {
			contract: contracts.forger,
			signature: 'pay(address)',
			options: { callValue: 1_500_000 },
			args: [{ type: 'address', value: OTHER }],
		});
		expect(ours.raw_data_hex).toBe(theirs);
		const bodies = (await sandbox.record()).map(({ path, body }) => ({ path, body }));
		expect(bodies).toMatchObject([
			{ path: '/wallet/triggerconstantcontract', body: { call_value: 1_500_000 } },
			{ path: '/wallet/triggersmartcontract', body: { call_value: 1_500_000 } },
		]);
		expect(await carryOut(ours)).toMatchObject({ status: 'success' });
		const payer = await first({ resource: 'account', operation: 'get', address: OWNER });
		expect(Number(payer.balance)).toBeLessThanOrEqual(20_000 - 1.5);
	});

	test.each<[string, () => INodeParameters, RegExp]>([
		[
			'an error of its ABI',
			() => buildCall(contracts.shapes, `${FAIL}\n${TOO_LITTLE}`, [5, 10]),
			/^The contract reverted with TooLittle\(available: 5, wanted: 10/,
		],
		['a panic', () => buildCall(contracts.coin, TRANSFER, [LEADER, '500000001']), /panic 0x11/],
		[
			'coins that it does not take',
			() => ({ ...buildCall(contracts.coin, TRANSFER, [LEADER, '5']), amount: '1' }),
			/^The call failed: REVERT opcode executed$/,
		],
		[
			'coins that nobody has',
			() => ({ ...buildCall(contracts.forger, PAY, [OTHER]), amount: '20001' }),
			/balance is not sufficient/,
		],
		['no contract', () => buildCall(OTHER, TRANSFER, [LEADER, '5']), /Smart contract is not exist/],
		[
			'no such function',
			() => buildCall(contracts.shapes, TRANSFER, [LEADER, '5']),
			/^The call failed/,
		],
	])('and refused before it is built: %s', async (_name, asked, words) => {
		const { error, items } = await wallet(asked());
		expect(error?.message).toMatch(words);
		expect(items).toEqual([]);
		const paths = (await sandbox.record()).map(({ path }) => path);
		expect(paths).toEqual(['/wallet/triggerconstantcontract']);
	});

	test.each<[INodeParameters, RegExp]>([
		[{ amount: '-1' }, /^'Amount' must be an amount of 0 or more/],
		[{ amount: '0.0000001' }, /^'Amount' must be an amount with at most 6 decimals/],
		[{ amount: '={{ [1] }}' }, /^'Amount' must be/],
		[
			{ amount: '9223372036854.775808' },
			/^'Amount' must be an amount of at most 9223372036854\.775807 coins/,
		],
		[{ feeLimit: '0' }, /^'Fee Limit' must be an amount above 0/],
		[{ feeLimit: '={{ -1 }}' }, /^'Fee Limit' must be/],
		[{ contract: hexOf(LEADER) }, /^'Contract' must be an address in base58/],
		[{ contract: '={{ {} }}' }, /^'Contract' must be/],
		[{ ownerAddress: '={{ 5 }}' }, /^'From' must be/],
		[{ function: 'transfer(' }, /^'Function' must be/],
		[{ function: `${TRANSFER}; g()`, functionName: 'approve' }, /^'Function Name or ID' must be/],
		[{ arguments: '[5, 5]' }, /^'Arguments > to' must be an address/],
		[{ arguments: JSON.stringify([LEADER, -1]) }, /^'Arguments > amount' must be/],
	])('and refused by the field, before anything is sent: %o', async (more, words) => {
		const asked = { ...buildCall(contracts.coin, TRANSFER, [LEADER, '5']), ...more };
		expect((await wallet(asked)).error?.message).toMatch(words);
		expect(await sandbox.record()).toEqual([]);
	});

	test.each<[string, () => INodeParameters, RegExp]>([
		['amount', () => buildCall(contracts.coin, TRANSFER, [LEADER, '6']), /transaction.data is/],
		['contract', () => buildCall(contracts.forger, PAY, [LEADER]), /contract_address is/],
		[
			'fee limit',
			() => ({ ...buildCall(contracts.coin, TRANSFER, [LEADER, '5']), feeLimit: '200' }),
			/fee_limit is 200000000, not 100000000/,
		],
	])('and a node that builds one of another %s builds nothing', async (_name, other, words) => {
		const transaction = await first(other());
		const body = { result: { result: true }, transaction };
		await sandbox.fault({ path: 'triggersmart', do: { status: 200, body } });
		const { error } = await wallet(buildCall(contracts.coin, TRANSFER, [LEADER, '5']));
		expect(error?.message).toMatch(words);
	});

	test('and a node that adds coins builds nothing', async () => {
		const transaction = await first({ ...buildCall(contracts.forger, PAY, [OTHER]), amount: '2' });
		const body = { result: { result: true }, transaction };
		await sandbox.fault({ path: 'triggersmart', do: { status: 200, body } });
		const { error } = await wallet({ ...buildCall(contracts.forger, PAY, [OTHER]), amount: '1' });
		expect(error?.message).toMatch(/call_value is 2000000, not 1000000/);
	});
});

describe('an approval', () => {
	const ALLOWANCE = 'allowance(address owner, address spender) view returns (uint256)';

	test.each<[string, bigint]>([
		['25.5', 25_500_000n],
		['0', 0n],
		['unlimited', 2n ** 256n - 1n],
		[' Unlimited ', 2n ** 256n - 1n],
	])('of %p has the bytes of tronweb, and is there afterwards', async (amount, units) => {
		const ours = await first(approval({ amount }));
		const theirs = await buildAlike(ours, {
			contract: contracts.coin,
			signature: 'approve(address,uint256)',
			args: [
				{ type: 'address', value: LEADER },
				{ type: 'uint256', value: units.toString() },
			],
		});
		expect(ours.raw_data_hex).toBe(theirs);
		expect(await carryOut(ours)).toMatchObject({ status: 'success' });
		const left = await first({ ...called('call')(contracts.coin, ALLOWANCE, [OWNER, LEADER]) });
		expect(left.result).toBe(String(units));
	});

	test.each<[INodeParameters, RegExp]>([
		[{ spender: NOWHERE }, /^'Spender' must be another address than the zero address/],
		[{ spender: 'T' }, /^'Spender' must be an address/],
		[{ spender: '={{ [] }}' }, /'Spender'/],
		[{ token: hexOf(LEADER) }, /^'Token' must be an address in base58/],
		[{ amount: 'all' }, /^'Amount' must be/],
		[{ amount: '-1' }, /^'Amount' must be/],
		[{ amount: '={{ {} }}' }, /^'Amount' must be/],
		[{ feeLimit: '0' }, /^'Fee Limit' must be/],
	])('of %o is refused, and nothing is sent', async (more, words) => {
		expect((await wallet(approval(more))).error?.message).toMatch(words);
		expect(await sandbox.record()).toEqual([]);
	});

	test('to the token itself is refused', async () => {
		const { error } = await wallet(approval({ spender: contracts.coin }));
		expect(error?.message).toMatch(/^'Spender' must be another address than the token's own/);
	});

	test('of more decimals than the token has is refused', async () => {
		const { error } = await wallet(approval({ amount: '1.0000001' }));
		expect(error?.message).toMatch(/^'Amount' must be an amount with at most 6 decimals/);
	});
});

describe('energy', () => {
	const asked = () => estimate(contracts.coin, TRANSFER, [LEADER, '5']);

	test('is what the node estimates, at the price of the chain', async () => {
		const { energy, energyOwn, feeCoins } = await first(asked());
		expect(Number(energy) % 1000).toBe(0);
		expect(Number(energy)).toBeGreaterThan(10_000);
		expect(energyOwn).toBe(0);
		expect(Number(feeCoins)).toBeCloseTo((Number(energy) * 100) / 1e6, 9);
		const theirs = await new TronWeb({
			fullHost: `${sandbox.nodeUrl}/${sandbox.authToken}`,
		}).transactionBuilder.estimateEnergy(
			contracts.coin,
			'transfer(address,uint256)',
			{},
			[
				{ type: 'address', value: LEADER },
				{ type: 'uint256', value: 5 },
			],
			OWNER,
		);
		expect(energy).toBe(theirs.energy_required);
	});

	test.each<[string, () => Promise<unknown>]>([
		[
			'is switched off',
			async () => await sandbox.control('PUT', '/wallet', { estimatesEnergy: false }),
		],
		[
			'is not there',
			async () => await sandbox.fault({ path: 'estimateenergy', do: { status: 404 } }),
		],
		[
			'is shut by a gateway',
			async () =>
				await sandbox.fault({
					path: 'estimateenergy',
					do: { status: 200, body: { Error: 'this API is closed' } },
				}),
		],
	])('is what the call used where the estimate %s', async (_name, prepare) => {
		await prepare();
		const { energyUsed } = await first(called('call')(contracts.coin, TRANSFER, [LEADER, '5']));
		expect((await first(asked())).energy).toBe(energyUsed);
	});

	test('a node without estimates is asked for one once in a run', async () => {
		await sandbox.control('PUT', '/wallet', { estimatesEnergy: false });
		const items = [1, 2, 3].map(() => ({ json: {} }));
		const { items: found } = await wallet({ ...asked(), options: { concurrency: 1 } }, { items });
		expect(found).toHaveLength(3);
		const paths = (await sandbox.record()).map(({ path }) => path);
		expect(paths.filter((path) => path.endsWith('getchainparameters'))).toHaveLength(1);
		expect(paths.filter((path) => path.endsWith('estimateenergy')).length).toBeLessThan(3);
	});

	test('of the account is used first', async () => {
		const answer = (more: object) => ({
			path: 'getaccountresource',
			do: { status: 200, body: { EnergyLimit: 5000, ...more } },
		});
		await sandbox.fault(answer({ EnergyUsed: 2000 }));
		const part = await first(asked());
		expect(part.energyOwn).toBe(3000);
		expect(Number(part.feeCoins)).toBeCloseTo(((Number(part.energy) - 3000) * 100) / 1e6, 9);
		await sandbox.fault(answer({ EnergyUsed: 6000 }));
		expect(await first(asked())).toMatchObject({ energyOwn: 0 });
		await sandbox.fault(answer({ EnergyLimit: 10_000_000 }));
		const all = await first(asked());
		expect(all).toMatchObject({ energyOwn: all.energy, feeCoins: '0' });
	});

	test('of nobody in particular has no account to be asked', async () => {
		const signature = 'approve(address spender, uint256 amount) returns (bool)';
		const given = { ...estimate(contracts.coin, signature, [LEADER, '5']), ownerAddress: '' };
		expect(await first(given)).toMatchObject({ energyOwn: 0 });
		const paths = (await sandbox.record()).map(({ path }) => path);
		expect(paths).not.toContain('/wallet/getaccountresource');
	});

	test('of a call with coins', async () => {
		const given = { ...estimate(contracts.forger, PAY, [OTHER]), amount: '1.5' };
		expect(Number((await first(given)).energy)).toBeGreaterThan(0);
		const seen = (await sandbox.record()).find(({ path }) => path.endsWith('estimateenergy'));
		expect(seen?.body).toMatchObject({ call_value: 1_500_000 });
	});

	test('of a call that fails is its reason', async () => {
		const { error } = await wallet(estimate(contracts.shapes, `${FAIL}\n${TOO_LITTLE}`, [5, 10]));
		expect(error?.message).toMatch(/^The contract reverted with TooLittle\(available: 5/);
	});

	test.each<[string, unknown, RegExp]>([
		['estimateenergy', { result: { result: true } }, /an amount of energy/],
		['estimateenergy', { result: { result: true }, energy_required: -1 }, /an amount of energy/],
		['estimateenergy', { result: { result: true }, energy_required: '5' }, /an amount of energy/],
		['estimateenergy', [], /an amount of energy/],
		['getchainparameters', {}, /the price of energy/],
		['getchainparameters', { chainParameter: [1] }, /the price of energy/],
		[
			'getchainparameters',
			{ chainParameter: [{ key: 'getEnergyFee', value: 1.5 }] },
			/the price of energy/,
		],
		['getaccountresource', [], /an account/],
		['getaccountresource', { EnergyLimit: -1 }, /whole numbers/],
		['getaccountresource', { EnergyLimit: 5, EnergyUsed: 'x' }, /whole numbers/],
	])('%s that answers %o is refused', async (path, body, words) => {
		await sandbox.fault({ path, do: { status: 200, body: JSON.stringify(body) } });
		const { error } = await wallet(asked());
		expect(error?.message).toMatch(/^The service did not answer with/);
		expect(error?.message).toMatch(words);
	});

	test('that costs nothing is free', async () => {
		const body = { chainParameter: [{ key: 'getEnergyFee' }] };
		await sandbox.fault({ path: 'getchainparameters', do: { status: 200, body } });
		expect(await first(asked())).toMatchObject({ feeCoins: '0' });
	});
});

describe('words for what fails', () => {
	const transferOf = (contract: string): INodeParameters => ({
		resource: 'transaction',
		operation: 'buildTokenTransfer',
		ownerAddress: OWNER,
		token: contract,
		toAddress: LEADER,
		amount: '1',
	});

	test.each(['a token transfer', 'an approval'])(
		'%s names the token whose decimals fail, and what to do',
		async (kind) => {
			const asked =
				kind === 'an approval'
					? approval({ token: contracts.shapes })
					: transferOf(contracts.shapes);
			const { error } = await wallet(asked);
			expect(error?.message).toBe(
				`The token at ${contracts.shapes} does not report its number of decimals`,
			);
			expect(error?.description).toMatch(/an amount in the smallest unit/);
			expect(await sandbox.record()).toHaveLength(1);
		},
	);

	test('a node that runs no calls is not taken for a token without decimals', async () => {
		const words = 'Contract validate error : this node does not support constant';
		const body = { result: { code: 'CONTRACT_VALIDATE_ERROR', message: words } };
		await sandbox.fault({ path: 'triggerconstant', do: { status: 200, body } });
		expect((await wallet(transferOf(contracts.coin))).error?.message).toBe(words);
	});

	test('a failed transaction has the words of the chain before the data of an unknown error', async () => {
		const transactionId = 'ab'.repeat(32);
		const info = (returned: string) => ({
			id: transactionId,
			blockNumber: 5,
			result: 'FAILED',
			contractResult: [returned],
			receipt: { result: 'REVERT' },
			resMessage: Buffer.from('REVERT opcode executed').toString('hex'),
		});
		const reasonOf = async (returned: string, more: object = {}) => {
			const body = { ...info(returned), ...more };
			await sandbox.fault({ path: 'gettransactioninfobyid', do: { status: 200, body } });
			const found = await first({ resource: 'transaction', operation: 'get', transactionId });
			return found.reason;
		};
		expect(await reasonOf('82B42900')).toBe('REVERT opcode executed (data 0x82b42900)');
		expect(await reasonOf('82b42900', { resMessage: undefined })).toBe('REVERT (data 0x82b42900)');
		expect(await reasonOf('')).toBe('REVERT opcode executed');
		expect(await reasonOf('zz')).toBe('REVERT opcode executed');
		const panic = `4e487b71${'12'.padStart(64, '0')}`;
		expect(await reasonOf(panic)).toBe('panic 0x12 (division by zero)');
	});
});
