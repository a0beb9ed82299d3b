import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { TronWeb, utils } from 'tronweb';
import {
	asItem,
	broadcast,
	first,
	hexOf,
	LEADER,
	OWNER,
	sandbox,
	SECOND,
	sent,
	signed,
	vote,
	wallet,
} from './support/wallet.mts';

const built = (operation: string, more: INodeParameters): INodeParameters => ({
	resource: 'transaction',
	operation,
	ownerAddress: OWNER,
	...more,
});
const loan = { receiverAddress: LEADER, amount: '1.5' };
const delegate = (more: INodeParameters = {}) => built('buildDelegate', { ...loan, ...more });
const undelegate = (more: INodeParameters = {}) => built('buildUndelegate', { ...loan, ...more });
const withdraw = (more: INodeParameters = {}) => built('buildWithdraw', more);
const freeze = (more: INodeParameters = {}) => built('buildFreeze', { amount: '5', ...more });
const unfreeze = (more: INodeParameters = {}) => built('buildUnfreeze', { amount: '5', ...more });

/** Builds, signs and broadcasts. */
async function carryOut(parameters: INodeParameters): Promise<IDataObject> {
	const transaction = signed(await first(parameters));
	return await first(broadcast('={{ $json }}'), asItem(transaction));
}

const account = async (address: string) =>
	await first({ resource: 'account', operation: 'get', address });

describe('what is sent', () => {
	const inHex = { visible: false, ownerAddress: hexOf(OWNER), receiverAddress: hexOf(LEADER) };

	const lastSent = async (count = 1) => (await sent()).slice(-count);

	test.each<[string, INodeParameters, object]>([
		['nothing locked', {}, {}],
		['for energy', { forResource: 'energy' }, { resource: 'ENERGY' }],
		['for three days', { lockDays: 3 }, { lock: true, lock_period: 86_400 }],
		['for a day as text', { lockDays: '={{ "1" }}' }, { lock: true, lock_period: 28_800 }],
	])('for a delegation, %s', async (_name, more, body) => {
		await carryOut(freeze({ forResource: 'energy' }));
		await first(delegate(more));
		expect(await lastSent()).toEqual([
			{
				path: '/wallet/delegateresource',
				body: {
					owner_address: OWNER,
					receiver_address: LEADER,
					balance: 1_500_000,
					resource: 'BANDWIDTH',
					visible: true,
					...body,
				},
			},
		]);
	});

	test('for its opposite, in hex', async () => {
		await carryOut(delegate());
		await first(undelegate(inHex));
		expect(await lastSent()).toEqual([
			{
				path: '/wallet/undelegateresource',
				body: {
					owner_address: hexOf(OWNER),
					receiver_address: hexOf(LEADER),
					balance: 1_500_000,
					resource: 'BANDWIDTH',
					visible: false,
				},
			},
		]);
	});

	test('for a withdrawal', async () => {
		await carryOut(vote());
		await first(withdraw({ what: 'rewards' }));
		await wallet(withdraw());
		expect(await lastSent(2)).toEqual(
			['withdrawbalance', 'withdrawexpireunfreeze'].map((path) => ({
				path: `/wallet/${path}`,
				body: { owner_address: OWNER, visible: true },
			})),
		);
	});
});

describe('equal inputs give the bytes of tronweb', () => {
	const { transactionBuilder } = new TronWeb({ fullHost: 'http://127.0.0.1:1' });

	test.each<
		[INodeParameters, (options: object) => Promise<{ raw_data_hex: string; txID: string }>]
	>([
		[
			delegate(),
			async (options) =>
				await transactionBuilder.delegateResource(
					1_500_000,
					LEADER,
					'BANDWIDTH',
					OWNER,
					false,
					undefined,
					options,
				),
		],
		[
			delegate({ forResource: 'energy', lockDays: 3 }),
			async (options) =>
				await transactionBuilder.delegateResource(
					1_500_000,
					LEADER,
					'ENERGY',
					OWNER,
					true,
					86_400,
					options,
				),
		],
		[
			undelegate(),
			async (options) =>
				await transactionBuilder.undelegateResource(1_500_000, LEADER, 'BANDWIDTH', OWNER, options),
		],
		[
			withdraw(),
			async (options) => await transactionBuilder.withdrawExpireUnfreeze(OWNER, options),
		],
		[
			withdraw({ what: 'rewards' }),
			async (options) => await transactionBuilder.withdrawBlockRewards(OWNER, options),
		],
	])('%o', async (parameters, build) => {
		await prepareAll();
		const ours = await first(parameters);
		const { contract: _contract, ...blockHeader } = ours.raw_data as IDataObject;
		const theirs = await build({ blockHeader });
		expect(ours.raw_data_hex).toBe(theirs.raw_data_hex);
		expect(ours.txID).toBe(theirs.txID);
	});
});

/** Something is frozen, lent, voted for and unfrozen. */
async function prepareAll(): Promise<void> {
	await sandbox.control('PUT', '/wallet', { unfreezingTime: 0 });
	await carryOut(freeze({ forResource: 'energy', amount: '10' }));
	await carryOut(delegate());
	await carryOut(delegate({ forResource: 'energy' }));
	await carryOut(unfreeze());
	await carryOut(vote());
}

describe('what is carried out', () => {
	test('energy that is lent is used by another, and comes back', async () => {
		await carryOut(freeze({ forResource: 'energy', amount: '100' }));
		await carryOut(delegate({ forResource: 'energy', amount: '40' }));
		expect(await account(OWNER)).toMatchObject({ frozenForEnergy: '60', energyLeft: 6000 });
		expect(await account(LEADER)).toMatchObject({ frozenForEnergy: '0', energyLeft: 4000 });
		await carryOut(undelegate({ forResource: 'energy', amount: '0.5' }));
		await carryOut(undelegate({ forResource: 'energy', amount: '39.5' }));
		expect(await account(OWNER)).toMatchObject({ frozenForEnergy: '100', energyLeft: 10_000 });
		expect(await account(LEADER)).toMatchObject({ energyLeft: 0 });
	});

	test('what is locked stays', async () => {
		await carryOut(delegate({ lockDays: 1 }));
		const { error } = await wallet(undelegate());
		expect(error?.message).toBe(
			'insufficient delegatedFrozenBalance(BANDWIDTH), request=1500000, unlock_balance=0',
		);
	});

	test('unfrozen coins and rewards can be spent again', async () => {
		await sandbox.control('PUT', '/wallet', { unfreezingTime: 0 });
		await carryOut(vote());
		await carryOut(unfreeze());
		const { balance } = await account(OWNER);
		await carryOut(withdraw());
		await carryOut(withdraw({ what: 'rewards' }));
		expect(Number((await account(OWNER)).balance) - Number(balance)).toBeGreaterThan(4.9);
		expect((await wallet(withdraw())).error?.message).toBe('no unFreeze balance to withdraw');
		expect((await wallet(withdraw({ what: 'rewards' }))).error?.message).toMatch(
			/^The last withdraw time is \d+, less than 24 hours$/,
		);
	});
});

describe('tronweb, by its own client', () => {
	const createClient = () => new TronWeb({ fullHost: `${sandbox.nodeUrl}/${sandbox.authToken}` });

	/** Signs and sends what the client has built. */
	async function send(building: Promise<unknown>): Promise<void> {
		const transaction = signed((await building) as IDataObject);
		const answer = await createClient().trx.sendRawTransaction(transaction as never);
		expect(answer).toMatchObject({ result: true });
	}

	test('lends energy and takes it back, and so does this node with the same loan', async () => {
		const { transactionBuilder, trx } = createClient();
		await carryOut(freeze({ forResource: 'energy', amount: '100' }));
		await send(transactionBuilder.delegateResource(40_000_000, LEADER, 'ENERGY', OWNER));
		expect(await account(LEADER)).toMatchObject({ energyLeft: 4000 });
		await carryOut(undelegate({ forResource: 'energy', amount: '30' }));
		expect(await trx.getAccountResources(LEADER)).toMatchObject({ EnergyLimit: 1000 });
		await carryOut(delegate({ forResource: 'energy', amount: '10' }));
		expect(await trx.getAccountResources(LEADER)).toMatchObject({ EnergyLimit: 2000 });
		await send(transactionBuilder.undelegateResource(20_000_000, LEADER, 'ENERGY', OWNER));
		expect(await account(LEADER)).toMatchObject({ energyLeft: 0 });
	});

	test('locks what it lends, and this node can not take it back', async () => {
		const { transactionBuilder } = createClient();
		await send(
			transactionBuilder.delegateResource(1_500_000, LEADER, 'BANDWIDTH', OWNER, true, 28_800),
		);
		expect((await wallet(undelegate())).error?.message).toMatch(/^insufficient delegated/);
	});

	test('withdraws, after which nothing is left for this node', async () => {
		const { transactionBuilder } = createClient();
		await sandbox.control('PUT', '/wallet', { unfreezingTime: 0 });
		await carryOut(vote());
		await carryOut(unfreeze());
		await send(transactionBuilder.withdrawExpireUnfreeze(OWNER));
		await send(transactionBuilder.withdrawBlockRewards(OWNER));
		expect((await wallet(withdraw())).error?.message).toBe('no unFreeze balance to withdraw');
		expect((await wallet(withdraw({ what: 'rewards' }))).error?.message).toMatch(
			/^The last withdraw time is/,
		);
	});
});

describe('a node that lies builds nothing', () => {
	test.each<[string, INodeParameters, INodeParameters, RegExp]>([
		['another amount', delegate(), delegate({ amount: '2' }), /balance is 2000000, not 1500000/],
		['another receiver', delegate(), delegate({ receiverAddress: SECOND }), /receiver_address is/],
		['another resource', delegate(), delegate({ forResource: 'energy' }), /resource is "ENERGY"/],
		['a lock', delegate(), delegate({ lockDays: 2 }), /lock is true, not false/],
		['no lock', delegate({ lockDays: 2 }), delegate(), /lock is false, not true/],
		[
			'a longer lock',
			delegate({ lockDays: 2 }),
			delegate({ lockDays: 3 }),
			/lock_period is 86400, not 57600/,
		],
		['the opposite', delegate(), undelegate(), /contract is "UnDelegateResourceContract"/],
		['a loan for it', undelegate(), delegate(), /contract is "DelegateResourceContract"/],
		['more taken back', undelegate({ amount: '1' }), undelegate(), /balance is 1500000/],
		[
			'the other withdrawal',
			withdraw(),
			withdraw({ what: 'rewards' }),
			/"WithdrawBalanceContract"/,
		],
		[
			'no rewards',
			withdraw({ what: 'rewards' }),
			withdraw(),
			/contract is "WithdrawExpireUnfreezeContract"/,
		],
	])('%s', async (_name, asked, other, words) => {
		await prepareAll();
		const body = await first(other);
		await sandbox.fault({ do: { status: 200, body } });
		const { error, items } = await wallet(asked);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^The node built another transaction than was asked for: /);
		expect(error?.message).toMatch(words);
		expect(error?.description).toMatch(/Do not sign it/);
	});

	test.each([
		['a lock as text', { lock: 'true' }],
		['a lock of 1', { lock: 1 }],
		['a period that floats', { lock_period: 0.5 }],
		['a field more', { to_address: LEADER }],
	])('an answer with %s', async (_name, change) => {
		const body = await first(delegate({ lockDays: 1 }));
		const { contract } = body.raw_data as { contract: Array<{ parameter: IDataObject }> };
		Object.assign(contract[0]!.parameter.value as object, change);
		await sandbox.fault({ do: { status: 200, body } });
		expect((await wallet(delegate({ lockDays: 1 }))).error?.message).toMatch(
			/^The node built another transaction/,
		);
	});
});

describe('what cannot be meant is refused, and nothing is sent', () => {
	const ZERO = utils.address.fromHex(`41${'0'.repeat(40)}`);

	test.each<[INodeParameters, RegExp]>([
		[
			{ receiverAddress: OWNER },
			/^'Receiver Address' must be another account than 'Owner Address'/,
		],
		[{ receiverAddress: ZERO }, /^'Receiver Address' must be another address than the zero/],
		[{ receiverAddress: hexOf(LEADER) }, /^'Receiver Address' must be an address in base58/],
		[{ receiverAddress: `${LEADER.slice(0, -1)}d` }, /^'Receiver Address' must be .* checksum/],
		[{ receiverAddress: '={{ 5 }}' }, /^'Receiver Address' must be/],
		[{ ownerAddress: 'T' }, /^'Owner Address' must be/],
		[{ amount: '0' }, /^'Amount' must be an amount above 0/],
		[{ amount: '-1' }, /^'Amount' must be/],
		[{ amount: '0.0000001' }, /^'Amount' must be an amount of at most 6 decimals/],
		[{ amount: '={{ [1] }}' }, /^'Amount' must be/],
		[{ amount: '9223372036854.775808' }, /^'Amount' must be an amount that the chain can hold/],
	])('%o', async (more, words) => {
		for (const parameters of [delegate(more), undelegate(more)]) {
			expect((await wallet(parameters)).error?.message).toMatch(words);
		}
		expect(await sandbox.record()).toEqual([]);
	});

	test.each(['-1', '={{ 1.5 }}', '={{ 366 }}', 'a week', '={{ {} }}', '={{ 1e21 }}'])(
		'a lock of %p days',
		async (lockDays) => {
			expect((await wallet(delegate({ lockDays }))).error?.message).toMatch(
				/^'Lock Days' must be a whole number, 0 to 365/,
			);
			expect(await sandbox.record()).toEqual([]);
		},
	);

	test.each([
		[{ what: 'everything' }, /'What'/],
		[{ what: '={{ ["rewards"] }}' }, /'What'/],
		[{ ownerAddress: '={{ "" }}' }, /'Owner Address' is required/],
	])('a withdrawal of %o', async (more, words) => {
		expect((await wallet(withdraw(more))).error?.message).toMatch(words);
		expect(await sandbox.record()).toEqual([]);
	});

	test.each([
		[delegate({ amount: '0.5' }), /greater than or equal to 1 TRX/],
		[delegate({ amount: '1001' }), /less than or equal to available FreezeBandwidthV2 balance/],
		[delegate({ forResource: 'energy' }), /available FreezeEnergyV2 balance/],
		[undelegate(), /delegated Resource does not exist/],
		[withdraw({ what: 'rewards' }), /witnessAccount does not have any reward/],
	])('the chain refuses in its words: %o', async (parameters, words) => {
		const { error } = await wallet(parameters);
		expect(error?.message).toMatch(words);
		expect(error?.description).toMatch(/ContractValidateException/);
	});
});

test('the broadcast of more than a number holds has all digits', async () => {
	const transaction = await first(delegate());
	const { contract } = transaction.raw_data as { contract: Array<{ parameter: IDataObject }> };
	Object.assign(contract[0]!.parameter.value as object, { balance: '9007199254740993' });
	await wallet(broadcast('={{ $json }}'), asItem({ ...transaction, signature: ['00'] }));
	const seen = (await sandbox.record()).find(({ path }) => path.endsWith('broadcasttransaction'));
	expect(JSON.stringify(seen?.body)).toMatch(/"balance":900719925474099\d/);
});
