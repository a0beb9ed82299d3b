import type { INodeParameters } from 'n8n-workflow';
import { TronWeb, utils } from 'tronweb';
import {
	create,
	createWallet,
	hexOf,
	LEADER,
	OWNER,
	SECOND,
	vote,
	votes,
} from './support/wallet.mts';
import { createBuilders } from './support/builders.mts';
import { takeRows } from '../../harness/caseCount.mts';

const walletOfTest = createWallet();
const { sandbox, wallet, first, sent } = walletOfTest;
const { transfer, freeze, unfreeze, delegate, undelegate, withdraw, prepareAll } =
	createBuilders(walletOfTest);

const ENERGY = { forResource: 'energy' };
const REWARDS = { what: 'rewards' };
const SUN = 1_500_000;
const URL = 'https://exämple.com/ü?a=1#b';
const { transactionBuilder } = new TronWeb({ fullHost: 'http://127.0.0.1:1' });

type Builder = (...args: readonly unknown[]) => Promise<{ raw_data_hex: string; txID: string }>;

describe('the documented body is sent, and the bytes are those of tronweb', () => {
	const loan = { receiver_address: LEADER, balance: SUN };
	const oneDay = { ...loan, resource: 'BANDWIDTH', lock: true, lock_period: 28_800 };
	const twoVotes = [
		{ vote_address: LEADER, vote_count: 5 },
		{ vote_address: SECOND, vote_count: 7 },
	];

	test.each(
		takeRows<[INodeParameters, string, object, keyof typeof transactionBuilder, unknown[]]>(
			[
				[
					transfer(),
					'createtransaction',
					{ to_address: LEADER, amount: SUN },
					'sendTrx',
					[LEADER, SUN, OWNER],
				],
				[
					freeze(),
					'freezebalancev2',
					{ frozen_balance: SUN, resource: 'BANDWIDTH' },
					'freezeBalanceV2',
					[SUN, 'BANDWIDTH', OWNER],
				],
				[
					freeze(ENERGY),
					'freezebalancev2',
					{ frozen_balance: SUN, resource: 'ENERGY' },
					'freezeBalanceV2',
					[SUN, 'ENERGY', OWNER],
				],
				[
					unfreeze(),
					'unfreezebalancev2',
					{ unfreeze_balance: SUN, resource: 'BANDWIDTH' },
					'unfreezeBalanceV2',
					[SUN, 'BANDWIDTH', OWNER],
				],
				[
					delegate(),
					'delegateresource',
					{ ...loan, resource: 'BANDWIDTH' },
					'delegateResource',
					[SUN, LEADER, 'BANDWIDTH', OWNER, false, undefined],
				],
				[
					delegate({ ...ENERGY, lockDays: 3 }),
					'delegateresource',
					{ ...loan, resource: 'ENERGY', lock: true, lock_period: 86_400 },
					'delegateResource',
					[SUN, LEADER, 'ENERGY', OWNER, true, 86_400],
				],
				[
					delegate({ lockDays: '={{ "1" }}' }),
					'delegateresource',
					oneDay,
					'delegateResource',
					[SUN, LEADER, 'BANDWIDTH', OWNER, true, 28_800],
				],
				[
					undelegate(),
					'undelegateresource',
					{ ...loan, resource: 'BANDWIDTH' },
					'undelegateResource',
					[SUN, LEADER, 'BANDWIDTH', OWNER],
				],
				[withdraw(), 'withdrawexpireunfreeze', {}, 'withdrawExpireUnfreeze', [OWNER]],
				[withdraw(REWARDS), 'withdrawbalance', {}, 'withdrawBlockRewards', [OWNER]],
				[
					vote({ votes: votes([LEADER, '5'], [SECOND, '0x7']) }),
					'votewitnessaccount',
					{ votes: twoVotes },
					'vote',
					[{ [LEADER]: 5, [SECOND]: 7 }, OWNER],
				],
				[create({ url: URL }), 'createwitness', { url: URL }, 'applyForSR', [OWNER, URL]],
			],
			3,
		),
	)('%o', async (asked, path, body, method, args) => {
		await prepareAll();
		const ours = await first(asked);
		expect((await sent()).at(-1)).toEqual({
			path: `/wallet/${path}`,
			body: { owner_address: OWNER, visible: true, ...body },
		});
		const { contract: _contract, ...blockHeader } = ours.raw_data as object as {
			contract: unknown;
		};
		const build = transactionBuilder[method] as unknown as Builder;
		const { raw_data_hex, txID } = await build.call(transactionBuilder, ...args, { blockHeader });
		expect(ours).toMatchObject({ raw_data_hex, txID });
	});

	test('in hex, too', async () => {
		await prepareAll();
		const inHex = { visible: false, ownerAddress: hexOf(OWNER) };
		await first(transfer({ ...inHex, toAddress: hexOf(LEADER) }));
		await first(undelegate({ ...inHex, receiverAddress: hexOf(LEADER) }));
		const body = { owner_address: hexOf(OWNER), visible: false };
		expect((await sent()).slice(-2).map((one) => one.body)).toEqual([
			{ ...body, to_address: hexOf(LEADER), amount: SUN },
			{ ...body, receiver_address: hexOf(LEADER), balance: SUN, resource: 'BANDWIDTH' },
		]);
	});

	test('an integer that no number holds has all its digits', async () => {
		const { error } = await wallet(transfer({ amount: '9007199254.740993' }));
		expect(error).toBeDefined();
		const [seen] = await sandbox.record();
		expect(JSON.stringify(seen?.body)).toMatch(/90071992547409\d\d/);
	});
});

test('a loan of more than is frozen is refused with the amount that can be lent', async () => {
	await prepareAll();
	const { error } = await wallet(delegate({ amount: '1000' }));
	expect(error?.message).toMatch(/delegateBalance must be less/);
	expect(error?.description).toMatch(/frozenForEnergy and frozenForBandwidth/);
});

describe('a node that lies builds nothing', () => {
	const locked = delegate({ lockDays: 2 });

	test.each(
		takeRows<[string, INodeParameters, INodeParameters, RegExp]>(
			[
				[
					'another amount',
					transfer(),
					transfer({ amount: '15' }),
					/amount is 15000000, not 1500000/,
				],
				['another receiver', transfer(), transfer({ toAddress: SECOND }), /to_address is .*, not/],
				['another owner', transfer(), transfer({ ownerAddress: SECOND }), /owner_address is/],
				['another kind', transfer(), freeze(), /"FreezeBalanceV2Contract", not "Transfer/],
				['another resource', freeze(), freeze(ENERGY), /resource is "ENERGY", not/],
				['the opposite', freeze(), unfreeze(), /contract is "UnfreezeBalanceV2Contract/],
				[
					'more unfrozen',
					unfreeze(),
					unfreeze({ amount: '2' }),
					/unfreeze_balance is 2000000, not/,
				],
				['another vote', vote(), vote({ votes: votes([SECOND, 5]) }), /votes\[0\].vote_address is/],
				['more votes', vote(), vote({ votes: votes([LEADER, 6]) }), /\[0\].vote_count is 6, not 5/],
				[
					'one vote more',
					vote(),
					vote({ votes: votes([LEADER, 5], [SECOND, 1]) }),
					/a list of 2, not a list of 1/,
				],
				['another website', create(), create({ url: 'https://example.com/b' }), /url is "https:/],
				['another loan', delegate(), delegate({ amount: '2' }), /balance is 2000000, not 1500000/],
				[
					'another borrower',
					delegate(),
					delegate({ receiverAddress: SECOND }),
					/receiver_address is/,
				],
				['another resource lent', delegate(), delegate(ENERGY), /resource is "ENERGY"/],
				['a lock', delegate(), locked, /lock is true, not false/],
				['no lock', locked, delegate(), /lock is false, not true/],
				['a longer lock', locked, delegate({ lockDays: 3 }), /lock_period is 86400, not 57600/],
				['the opposite of a loan', delegate(), undelegate(), /"UnDelegateResourceContract"/],
				['a loan for its opposite', undelegate(), delegate(), /"DelegateResourceContract"/],
				['more taken back', undelegate({ amount: '1' }), undelegate(), /balance is 1500000/],
				['the other withdrawal', withdraw(), withdraw(REWARDS), /"WithdrawBalanceContract"/],
				['no rewards', withdraw(REWARDS), withdraw(), /"WithdrawExpireUnfreezeContract"/],
			],
			3,
		),
	)('%s', async (_name, asked, other, words) => {
		await prepareAll();
		const body = await first(other);
		await sandbox.fault({ do: { status: 200, body } });
		const { error, items } = await wallet(asked);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(
			/^The chain node built a different transaction than was asked for: /,
		);
		expect(error?.message).toMatch(words);
		expect(error?.description).toMatch(/Do not sign it/);
	});

	test('members beside an honest transaction do not come out', async () => {
		const honest = await first(transfer());
		const beside = { signature: ['00'.repeat(65)], note: 'x'.repeat(1_000_000), json: {} };
		await sandbox.fault({ do: { status: 200, body: { ...honest, ...beside } } });
		expect(await first(transfer())).toEqual(honest);
	});

	test.each([transfer(), vote(), create()])(
		'an incomplete transaction is none: %o',
		async (one) => {
			await sandbox.fault({ do: { status: 200, body: { txID: 'ab', raw_data: {} } } });
			expect((await wallet(one)).error?.message).toBe(
				'The service did not answer with a transaction',
			);
		},
	);
});

describe('what cannot be meant is refused, and nothing is sent', () => {
	const ZERO = utils.address.fromHex(`41${'0'.repeat(40)}`);

	test.each(
		takeRows(
			[
				['0', /'Amount' must be an amount above 0/],
				['0.0000001', /'Amount' must be an amount with at most 6 decimals/],
				['-1', /'Amount' must be/],
				['1e3', /'Amount' must be/],
				['={{ 1e21 }}', /'Amount' must be an amount of at most 9223372036854\.775807 coins/],
				['={{ -0.5 }}', /'Amount' must be an amount of 0 or more/],
				['={{ 1 / 0 }}', /'Amount' must be|'Amount' is required/],
				['={{ [5] }}', /'Amount' must be/],
				['5 gwei', /'Amount' must be/],
				['1,5', /'Amount' must be/],
				[
					'9223372036854.775808',
					/'Amount' must be an amount of at most 9223372036854\.775807 coins/,
				],
				['={{ "" }}', /'Amount' is required/],
			],
			3,
		),
	)('an amount of %p', async (amount, words) => {
		for (const asked of [transfer, freeze, unfreeze, delegate, undelegate]) {
			expect((await wallet(asked({ amount }))).error?.message).toMatch(words);
		}
		expect(await sandbox.record()).toEqual([]);
	});

	test.each(
		takeRows<[INodeParameters, RegExp]>(
			[
				[{ receiverAddress: OWNER }, /must be another account than 'From'/],
				[{ receiverAddress: ZERO }, /^'To' must be another address than the zero/],
				[{ receiverAddress: hexOf(LEADER) }, /^'To' must be an address in base58/],
				[{ receiverAddress: `${LEADER.slice(0, -1)}d` }, /^'To' must be .* checksum/],
				[{ receiverAddress: '={{ 5 }}' }, /^'To' must be/],
				[{ ownerAddress: 'T' }, /^'From' must be/],
			],
			2,
		),
	)('a loan with %o', async (more, words) => {
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
		[{ ownerAddress: '={{ "" }}' }, /'From' is required/],
	])('a withdrawal of %o', async (more, words) => {
		expect((await wallet(withdraw(more))).error?.message).toMatch(words);
		expect(await sandbox.record()).toEqual([]);
	});
});

test.each(
	takeRows(
		[
			[transfer({ amount: '1000000' }), /balance is not sufficient/],
			[transfer({ toAddress: OWNER }), /Cannot transfer TRX to yourself/],
			[freeze({ amount: '0.5' }), /greater than or equal to 1 TRX/],
			[unfreeze(ENERGY), /no frozenBalance\(ENERGY\)/],
			[delegate({ amount: '0.5' }), /greater than or equal to 1 TRX/],
			[delegate({ amount: '1001' }), /less than or equal to available FreezeBandwidthV2 balance/],
			[delegate(ENERGY), /available FreezeEnergyV2 balance/],
			[undelegate(), /delegated Resource does not exist/],
			[withdraw(REWARDS), /witnessAccount does not have any reward/],
		],
		3,
	),
)('the chain refuses in its words: %o', async (parameters, words) => {
	const { error } = await wallet(parameters);
	expect(error?.message).toMatch(words);
	expect(error?.description).toMatch(/ContractValidateException/);
});

test.each<[INodeParameters, string]>([
	[transfer(), `Send 1.5 TRX to ${LEADER}.`],
	[freeze(ENERGY), 'Freeze 1.5 TRX for energy.'],
	[
		create({ url: 'https://example.com' }),
		`Make ${OWNER} a witness with the website https://example.com.`,
	],
	[
		vote({ ownerAddress: hexOf(OWNER), votes: votes([hexOf(LEADER), 5]), visible: false }),
		`Vote with ${OWNER}: 5 for ${LEADER}.`,
	],
])('what %p builds says in one sentence what it does', async (parameters, sentence) => {
	const { summary, transaction, ...beside } = await first(parameters);
	expect(summary).toBe(sentence);
	expect(transaction).toEqual(beside);
});
