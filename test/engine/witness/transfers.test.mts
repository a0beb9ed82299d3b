import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { TronWeb } from 'tronweb';
import {
	create,
	first,
	hexOf,
	LEADER,
	OWNER,
	sandbox,
	SECOND,
	sent,
	sha256,
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
		// The headers of both depend on the time.
		const raw_data = {
			...(honest.raw_data as IDataObject),
			...('raw_data_hex' in parts && headerOf(other)),
			...('raw_data' in parts && { contract: (other.raw_data as IDataObject).contract }),
		};
		await sandbox.fault({ do: { status: 200, body: { ...honest, ...mixed, raw_data } } });
		expect((await wallet(transfer())).error?.message).toMatch(words);
	});

	const raw = (change: object) => (built: IDataObject) => ({
		...built,
		raw_data: { ...(built.raw_data as IDataObject), ...change },
	});
	const value = (change: object) => (built: IDataObject) => {
		const copy = structuredClone(built);
		const { contract } = copy.raw_data as { contract: Array<{ parameter: IDataObject }> };
		Object.assign(contract[0]!.parameter.value as object, change);
		return copy;
	};

	test.each<[string, (built: IDataObject) => object]>([
		['a byte more', (built) => ({ ...built, raw_data_hex: `${String(built.raw_data_hex)}00` })],
		['hex with 0x', (built) => ({ ...built, raw_data_hex: `0x${String(built.raw_data_hex)}` })],
		['an ID in a list', (built) => ({ ...built, txID: [built.txID] })],
		['two contracts', raw({ contract: [{}, {}] })],
		['an object for the contracts', raw({ contract: { 0: {} } })],
		['a memo', raw({ data: '6869' })],
		['a fee limit', raw({ fee_limit: 1 })],
		['a list for raw_data', (built) => ({ ...built, raw_data: [] })],
		['an amount that floats', value({ amount: 1_500_000.5 })],
		['an endless amount', value({ amount: 1e21 })],
		['an amount below 0', value({ amount: -1_500_000 })],
		['an amount of null', value({ amount: null })],
		['an amount in a list', value({ amount: [1_500_000] })],
		['a field more', value({ asset_name: '5f' })],
		['the other spelling', (built) => ({ ...built, visible: false })],
		['a spelling that is none', (built) => ({ ...built, visible: 'true' })],
	])('an answer with %s', async (_name, change) => {
		const body = change(await first(transfer()));
		await sandbox.fault({ do: { status: 200, body } });
		const { error, items } = await wallet(transfer());
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^The node built another transaction than was asked for: /);
	});

	/** A transaction that tronweb built with these additions; its bytes and its JSON agree. */
	async function buildLonger(more: object, memo?: string): Promise<IDataObject> {
		const { contract: _contract, ...blockHeader } = (await first(transfer()))
			.raw_data as IDataObject;
		const { transactionBuilder } = new TronWeb({ fullHost: 'http://127.0.0.1:1' });
		const options = { blockHeader, ...more };
		const built = await transactionBuilder.sendTrx(LEADER, 1_500_000, OWNER, options as never);
		if (memo === undefined) return built as object as IDataObject;
		const local = { txLocal: true };
		return (await transactionBuilder.addUpdateData(
			built,
			memo,
			'utf8',
			local,
		)) as object as IDataObject;
	}

	test.each<[string, object, string | undefined, RegExp]>([
		['a shared permission', { permissionId: 2 }, undefined, /Permission_id is 2, not 0/],
		['a memo', {}, 'order 7', /memo is "6f726465722037", not ""/],
		['a memo of any letters', {}, '\u202eΩ ☂️\u0000', /memo is "e280aecea9/],
		['a memo of 200 KB', {}, '☂'.repeat(70_000), /memo is "(e29882)+.*…/],
	])('%s in bytes and JSON', async (_name, more, memo, words) => {
		const body = await buildLonger(more, memo);
		await sandbox.fault({ do: { status: 200, body } });
		const { error, items } = await wallet(transfer());
		expect(items).toEqual([]);
		expect(error?.message).toMatch(words);
		expect(error?.message.length).toBeLessThan(300);
	});

	test('two contracts in bytes and JSON', async () => {
		const honest = await first(transfer());
		const hex = String(honest.raw_data_hex);
		// A contract has the tag 5a, the length of what follows, and the type 1 for a transfer.
		const start = hex.search(/5a..080112/);
		const end = start + 4 + 2 * parseInt(hex.slice(start + 2, start + 4), 16);
		const doubled = hex.slice(0, end) + hex.slice(start);
		const raw_data = honest.raw_data as { contract: object[] };
		const body = {
			...honest,
			txID: sha256(Buffer.from(doubled, 'hex')),
			raw_data_hex: doubled,
			raw_data: { ...raw_data, contract: [...raw_data.contract, ...raw_data.contract] },
		};
		await sandbox.fault({ do: { status: 200, body } });
		expect((await wallet(transfer())).error?.message).toMatch(/it has 2 contracts, not one/);
	});

	test('a signature, and more, beside the transaction, of which nothing comes out', async () => {
		const honest = await first(transfer());
		const beside = { signature: ['00'.repeat(65)], note: 'x'.repeat(1_000_000), json: {} };
		await sandbox.fault({ do: { status: 200, body: { ...honest, ...beside } } });
		expect(await first(transfer())).toEqual(honest);
	});

	test('numbers as text say the same', async () => {
		const built = value({ amount: '1500000' })(await first(transfer()));
		await sandbox.fault({ do: { status: 200, body: built } });
		expect(await first(transfer())).toEqual(built);
	});

	function headerOf({ raw_data }: IDataObject): IDataObject {
		const { contract: _contract, ...header } = raw_data as IDataObject;
		return header;
	}
});

describe('building', () => {
	test.each([
		['0', /'Amount' must be an amount above 0/],
		['0.0000001', /'Amount' must be an amount of at most 6 decimals/],
		['-1', /'Amount' must be/],
		['1e3', /'Amount' must be/],
		['={{ 1e21 }}', /'Amount' must be an amount that the chain can hold/],
		['={{ -0.5 }}', /'Amount' must be an amount of 0 or more/],
		['={{ 1 / 0 }}', /'Amount' must be|'Amount' is required/],
		['={{ [5] }}', /'Amount' must be/],
		['5 gwei', /'Amount' must be/],
		['1,5', /'Amount' must be/],
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
