import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { TronWeb } from 'tronweb';
import {
	create,
	first,
	hexOf,
	KEY,
	LEADER,
	OWNER,
	sandbox,
	SECOND,
	sent,
	vote,
	votes,
	wallet,
} from './support/wallet.mts';

const built = (operation: string, more: INodeParameters): INodeParameters => ({
	resource: 'transaction',
	operation,
	ownerAddress: OWNER,
	amount: '1.5',
	...more,
});
const transfer = (more: INodeParameters = {}) =>
	built('buildTransfer', { toAddress: LEADER, ...more });
const freeze = (more: INodeParameters = {}) => built('buildFreeze', more);
const unfreeze = (more: INodeParameters = {}) => built('buildUnfreeze', more);

const inHex = { visible: false, ownerAddress: hexOf(OWNER), toAddress: hexOf(LEADER) };

describe('what is sent', () => {
	test.each([true, false])('for a transfer (visible %p)', async (visible) => {
		await first(transfer(visible ? {} : inHex));
		expect(await sent()).toEqual([
			{
				path: '/wallet/createtransaction',
				body: {
					owner_address: visible ? OWNER : hexOf(OWNER),
					to_address: visible ? LEADER : hexOf(LEADER),
					amount: 1_500_000,
					visible,
				},
			},
		]);
	});

	test.each([
		[freeze(), 'freezebalancev2', { frozen_balance: 1_500_000, resource: 'BANDWIDTH' }],
		[
			freeze({ forResource: 'energy' }),
			'freezebalancev2',
			{ frozen_balance: 1_500_000, resource: 'ENERGY' },
		],
		[unfreeze(), 'unfreezebalancev2', { unfreeze_balance: 1_500_000, resource: 'BANDWIDTH' }],
	])('for freezing: %o', async (parameters, path, body) => {
		await first(parameters);
		expect(await sent()).toEqual([
			{ path: `/wallet/${path}`, body: { owner_address: OWNER, visible: true, ...body } },
		]);
	});

	test('an integer that no number holds has all its digits', async () => {
		const { error } = await wallet(transfer({ amount: '9007199254.740993' }));
		expect(error).toBeDefined();
		const [seen] = await sandbox.record();
		expect(JSON.stringify(seen?.body)).toMatch(/90071992547409\d\d/);
	});
});

describe('equal inputs give the bytes of tronweb', () => {
	const { transactionBuilder } = new TronWeb({ fullHost: 'http://127.0.0.1:1' });

	test.each([
		[
			transfer(),
			async (options: object) =>
				await transactionBuilder.sendTrx(LEADER, 1_500_000, OWNER, options),
		],
		[
			freeze({ forResource: 'energy' }),
			async (options: object) =>
				await transactionBuilder.freezeBalanceV2(1_500_000, 'ENERGY', OWNER, options),
		],
		[
			unfreeze(),
			async (options: object) =>
				await transactionBuilder.unfreezeBalanceV2(1_500_000, 'BANDWIDTH', OWNER, options),
		],
		[
			vote({ votes: votes([LEADER, 5], [SECOND, 7]) }),
			async (options: object) =>
				await transactionBuilder.vote({ [LEADER]: 5, [SECOND]: 7 }, OWNER, options),
		],
		[
			create(),
			async (options: object) =>
				await transactionBuilder.applyForSR(OWNER, 'https://example.com', options),
		],
	])('%o', async (parameters, build) => {
		const ours = await first(parameters);
		const { contract: _contract, ...blockHeader } = ours.raw_data as IDataObject;
		const theirs = await build({ blockHeader });
		expect(ours.raw_data_hex).toBe(theirs.raw_data_hex);
		expect(ours.txID).toBe(theirs.txID);
	});
});

describe('a node that lies builds nothing', () => {
	const lies: Array<[name: string, asked: INodeParameters, other: INodeParameters, words: RegExp]> =
		[
			['another amount', transfer(), transfer({ amount: '15' }), /amount is 15000000, not 1500000/],
			['another receiver', transfer(), transfer({ toAddress: SECOND }), /to_address is .*, not/],
			['another owner', transfer(), transfer({ ownerAddress: SECOND }), /owner_address is/],
			[
				'another kind',
				transfer(),
				freeze(),
				/contract is "FreezeBalanceV2Contract", not "Transfer/,
			],
			[
				'another resource',
				freeze(),
				freeze({ forResource: 'energy' }),
				/resource is "ENERGY", not/,
			],
			['the opposite', freeze(), unfreeze(), /contract is "UnfreezeBalanceV2Contract/],
			['more unfrozen', unfreeze(), unfreeze({ amount: '2' }), /unfreeze_balance is 2000000, not/],
			[
				'a vote for another',
				vote(),
				vote({ votes: votes([SECOND, 5]) }),
				/votes\[0\].vote_address is/,
			],
			[
				'more votes',
				vote(),
				vote({ votes: votes([LEADER, 6]) }),
				/votes\[0\].vote_count is 6, not 5/,
			],
			[
				'one vote more',
				vote(),
				vote({ votes: votes([LEADER, 5], [SECOND, 1]) }),
				/a list of 2, not a list of 1/,
			],
			['another website', create(), create({ url: 'https://example.com/b' }), /url is "https:/],
		];

	test.each(lies)('%s', async (_name, asked, other, words) => {
		const body = await first(other);
		await sandbox.fault({ do: { status: 200, body } });
		const { error, items } = await wallet(asked);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^The node built another transaction than was asked for: /);
		expect(error?.message).toMatch(words);
		expect(error?.description).toMatch(/Do not sign it/);
	});

	test.each([
		['bytes of another transaction', /txID is the SHA-256/, { raw_data_hex: true }],
		[
			'bytes and ID of another',
			/amount is 1500000 in raw_data, and 15000000/,
			{ raw_data_hex: true, txID: true },
		],
		['JSON of another', /amount is 15000000 in raw_data, and 1500000/, { raw_data: true }],
	])('%s', async (_name, words, parts) => {
		const honest = await first(transfer());
		const other = await first(transfer({ amount: '15' }));
		const mixed = Object.fromEntries(Object.keys(parts).map((key) => [key, other[key]]));
		// The headers of both are of their own time.
		const raw_data = {
			...(honest.raw_data as IDataObject),
			...('raw_data_hex' in parts && headerOf(other)),
			...('raw_data' in parts && { contract: (other.raw_data as IDataObject).contract }),
		};
		await sandbox.fault({ do: { status: 200, body: { ...honest, ...mixed, raw_data } } });
		expect((await wallet(transfer())).error?.message).toMatch(words);
	});

	function headerOf({ raw_data }: IDataObject): IDataObject {
		const { contract: _contract, ...header } = raw_data as IDataObject;
		return header;
	}
});

describe('building', () => {
	test.each([transfer(), freeze(), unfreeze(), vote(), create()])(
		'is repeated after 503: %o',
		async (parameters) => {
			await sandbox.control('PUT', '/wallet', { defaultFrozen: 1000 });
			await sandbox.fault({ do: { status: 503 } });
			expect(await first(parameters)).toHaveProperty('txID');
			expect(await sandbox.record()).toHaveLength(2);
		},
	);

	test('broadcasting is not', async () => {
		const { utils } = await import('tronweb');
		const transaction = await first(transfer());
		const signed = utils.crypto.signTransaction(KEY, transaction as never) as object as IDataObject;
		await sandbox.fault({ do: { status: 503 } });
		const { error } = await wallet({
			operation: 'broadcast',
			transaction: JSON.stringify(signed),
		});
		expect(error?.description).toMatch(/may still have been carried out/);
		const paths = (await sandbox.record()).map(({ path }) => path);
		expect(paths.filter((path) => path === '/wallet/broadcasttransaction')).toHaveLength(1);
	});

	test('waits when the node limits requests in its own way', async () => {
		const Error = 'class java.lang.IllegalAccessException : lack of computing resources';
		await sandbox.fault({ do: { status: 200, body: { Error } } });
		expect(await first(transfer())).toHaveProperty('txID');
	});

	test.each([
		['0', /'Amount' must be an amount above 0/],
		['0.0000001', /'Amount' must be an amount of at most 6 decimals/],
		['-1', /'Amount' must be/],
		['1e3', /'Amount' must be/],
		['9223372036854.775808', /'Amount' must be an amount that the chain can hold/],
		['={{ "" }}', /'Amount' is required/],
	])('an amount of %p is refused', async (amount, words) => {
		for (const parameters of [transfer({ amount }), freeze({ amount }), unfreeze({ amount })]) {
			expect((await wallet(parameters)).error?.message).toMatch(words);
		}
		expect(await sandbox.record()).toEqual([]);
	});

	test.each([
		[transfer({ amount: '1000000' }), /balance is not sufficient/],
		[transfer({ toAddress: OWNER }), /Cannot transfer TRX to yourself/],
		[freeze({ amount: '0.5' }), /greater than or equal to 1 TRX/],
		[unfreeze({ forResource: 'energy' }), /no frozenBalance\(ENERGY\)/],
	])('the chain refuses in its words: %o', async (parameters, words) => {
		const { error } = await wallet(parameters);
		expect(error?.message).toMatch(words);
		expect(error?.description).toMatch(/ContractValidateException/);
	});
});
