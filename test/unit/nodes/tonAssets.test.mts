import { beginCell } from '@ton/core';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { createShared } from '../../../nodes/core/operation/results';
import { jetton } from '../../../nodes/Ton/jetton';
import { name } from '../../../nodes/Ton/name';
import { nft } from '../../../nodes/Ton/nft';
import { addressOfCell } from '../support/tonCells.mts';
import {
	bocOf,
	commentCell,
	failedWith,
	failureOf,
	FakeTon,
	friendlyOf,
	hashOf,
	jettonWalletRow,
	masterRow,
	messageRow,
	rawOf,
	type Row,
	runTon,
	toHex,
	transactionRow,
	upperRaw,
} from '../support/tonService.mts';
import { Address, type Cell } from '@ton/core';

const [OWN, OTHER, MASTER, FALSE_MASTER] = ['a', 'b', 'd', 'c'].map(rawOf) as [
	string,
	string,
	string,
	string,
];
const [WALLET, FALSE_WALLET] = [1, 2].map((number) => upperRaw(addressOfCell(number))) as [
	string,
	string,
];
const owner = Address.parse(OWN);
const other = Address.parse(OTHER);

const receipt = (amount: number, comment: Cell, from = other) =>
	beginCell()
		.storeUint(0x178d4519, 32)
		.storeUint(amount, 64)
		.storeCoins(amount)
		.storeAddress(from)
		.storeAddress(from)
		.storeCoins(1)
		.storeMaybeRef(comment)
		.endCell();
const sending = (amount: number) =>
	beginCell()
		.storeUint(0x0f8a7ea5, 32)
		.storeUint(amount, 64)
		.storeCoins(amount)
		.storeAddress(other)
		.storeAddress(owner)
		.storeBit(false)
		.storeCoins(1)
		.storeBit(false)
		.endCell();
const bounced = (amount: number) =>
	beginCell()
		.storeUint(0xffffffff, 32)
		.storeUint(0x178d4519, 32)
		.storeUint(amount, 64)
		.storeCoins(amount)
		.endCell();

/** Seven in, five out, five out again that came back, three that failed on arrival; and of the false jetton nine in. */
function createHistory(): FakeTon {
	const ton = new FakeTon();
	ton.masters.push(masterRow(MASTER), masterRow(FALSE_MASTER));
	ton.jettonWallets.push(
		jettonWalletRow(WALLET, OWN, MASTER),
		jettonWalletRow(FALSE_WALLET, OWN, FALSE_MASTER, '9'),
	);
	const row = (lt: number, source: string, body: Cell, more: Row = {}, message: Row = {}) =>
		transactionRow(WALLET, lt, { in_msg: messageRow(source, WALLET, body, message), ...more });
	ton.transactions = [
		row(1, OTHER, receipt(7, commentCell('invoice 7'))),
		row(2, OWN, sending(5)),
		row(3, OWN, sending(6)),
		row(4, OTHER, receipt(3, commentCell('late')), { description: failedWith(707) }),
		row(5, OTHER, bounced(6), {}, { bounced: true }),
		transactionRow(FALSE_WALLET, 1, {
			now: 1_767_225_600 + 2,
			in_msg: messageRow(OTHER, FALSE_WALLET, receipt(9, commentCell('gift'))),
		}),
	];
	return ton;
}

describe('jetton transfers', () => {
	const all = { owner: OWN, returnAll: true };
	const values = (found: readonly Row[]) =>
		found.map(({ direction, value }) => `${direction} ${value}`);

	test('are what the own jetton wallets took in and sent, merged by time, without what came back', async () => {
		const found = await runTon(jetton.operations.getTransfers, all, createHistory());
		expect(values(found)).toEqual(['out 5', 'in 9', 'in 7']);
		expect(found[2]).toEqual({
			key: expect.stringMatching(/^[0-9a-f]{64}:jettons$/),
			chain: 'ton',
			direction: 'in',
			jetton: friendlyOf(MASTER, true),
			token: friendlyOf(MASTER, true),
			symbol: 'USDT',
			decimals: 6,
			from: friendlyOf(OTHER, true),
			to: friendlyOf(OWN, true),
			value: '7',
			amount: '0.000007',
			comment: 'invoice 7',
			timestamp: '2026-01-01T00:00:01.000Z',
			transactionHash: toHex(hashOf(`${WALLET} 1`)),
			lt: '1',
		});
		expect(found[1]).toMatchObject({ jetton: friendlyOf(FALSE_MASTER, true), symbol: 'USDT' });
	});

	test('of some jettons, in one direction, within a time', async () => {
		const wanted = { ...all, jettons: MASTER };
		const valuesOf = async (more: Row) =>
			values(await runTon(jetton.operations.getTransfers, { ...wanted, ...more }, createHistory()));
		expect(await valuesOf({})).toEqual(['out 5', 'in 7']);
		expect(await valuesOf({ direction: 'in' })).toEqual(['in 7']);
		expect(await valuesOf({ direction: 'out' })).toEqual(['out 5']);
		expect(await valuesOf({ fromTime: 1_767_225_602 })).toEqual(['out 5']);
	});

	test('that came back after the time that was asked for are left out all the same', async () => {
		const given = { ...all, jettons: MASTER, toTime: 1_767_225_603 };
		expect(values(await runTon(jetton.operations.getTransfers, given, createHistory()))).toEqual([
			'out 5',
			'in 7',
		]);
	});

	test.each(['cell', 'slice'])(
		'are those of the wallet that the master names in a %s, where the index lists none',
		async (type) => {
			const ton = createHistory();
			ton.jettonWallets = [];
			const value = bocOf(beginCell().storeAddress(addressOfCell(1)).endCell());
			ton.answerMethod = () => ({ exit_code: 0, stack: [{ type, value }] });
			const given = { ...all, jettons: MASTER };
			const found = await runTon(jetton.operations.getTransfers, given, ton);
			expect(values(found)).toEqual(['out 5', 'in 7']);
		},
	);

	test('of a master that names no wallet are a failure', async () => {
		const ton = new FakeTon();
		const value = bocOf(beginCell().storeAddress(null).endCell());
		ton.answerMethod = () => ({ exit_code: 0, stack: [{ type: 'cell', value }] });
		const given = { ...all, jettons: MASTER };
		expect(await failureOf(runTon(jetton.operations.getTransfers, given, ton))).toMatch(
			/^There is no jetton at EQ/,
		);
	});

	test('of an owner without jetton wallets are none', async () => {
		expect(await runTon(jetton.operations.getTransfers, all, new FakeTon())).toEqual([]);
	});
});

describe('NFTs', () => {
	const item = (number: number, more: Row = {}): Row => ({
		address: upperRaw(addressOfCell(number)),
		owner_address: OWN,
		collection_address: MASTER,
		index: String(number),
		content: { uri: `https://example.com/${number}.json` },
		...more,
	});
	const downloading = (files: Readonly<Record<string, string>>) => ({
		shared: createShared(),
		download: async ({ url }: { url: string }) =>
			await (url in files
				? Promise.resolve(Buffer.from(files[url] ?? ''))
				: Promise.reject(new RequestFailure('The server answered 404'))),
	});

	test('have an owner, a collection and metadata', async () => {
		const ton = new FakeTon();
		ton.nfts.push(
			item(1),
			item(2, { real_owner: OTHER, content: { name: 'On the chain' } }),
			item(3),
		);
		const files = downloading({ 'https://example.com/1.json': '{"name": "First"}' });
		const found = await runTon(
			nft.operations.getAll,
			{ collection: MASTER, returnAll: true },
			ton,
			files,
		);
		expect(found).toEqual([
			{
				address: friendlyOf(upperRaw(addressOfCell(1)), true),
				collection: friendlyOf(MASTER, true),
				index: '1',
				owner: friendlyOf(OWN, true),
				name: 'First',
				metadata: { name: 'First' },
				metadataError: null,
			},
			expect.objectContaining({
				owner: friendlyOf(OTHER, true),
				name: 'On the chain',
				metadata: { name: 'On the chain' },
			}),
			expect.objectContaining({
				name: null,
				metadata: null,
				metadataError: 'The server answered 404',
			}),
		]);
		const address = addressOfCell(1).toString();
		const options = { fetchMetadata: false };
		expect(await runTon(nft.operations.get, { address, options }, ton)).toMatchObject([
			{ index: '1', metadata: null, metadataError: null },
		]);
	});

	test('that are none, or another than was asked for, are a failure', async () => {
		const ton = new FakeTon();
		const address = addressOfCell(1).toString();
		expect(await failureOf(runTon(nft.operations.get, { address }, ton))).toMatch(
			/^There is no NFT at EQ/,
		);
		ton.changes['nft/items'] = () => ({ nft_items: [item(2)] });
		expect(await failureOf(runTon(nft.operations.get, { address }, ton))).toMatch(
			/Its address must be what was asked for/,
		);
		expect(await failureOf(runTon(nft.operations.getAll, { owner: OTHER }, ton))).toMatch(
			/Its owner_address must be what was asked for/,
		);
		expect(await failureOf(runTon(nft.operations.getAll, {}, ton))).toMatch(
			/^'Owner' or 'Collection' is required/,
		);
	});
});

describe('names', () => {
	test('lead to an account, or to none', async () => {
		const ton = new FakeTon();
		ton.names.push({ domain: 'alice.ton', nft_item_owner: OWN, dns_wallet: OTHER });
		expect(await runTon(name.operations.resolve, { name: ' Alice.TON ' }, ton)).toEqual([
			{ name: 'alice.ton', address: friendlyOf(OTHER, true), owner: friendlyOf(OWN, true) },
		]);
		expect(await runTon(name.operations.resolve, { name: 'bob.ton' }, ton)).toEqual([
			{ name: 'bob.ton', address: null, owner: null },
		]);
	});

	test('of somebody else are a failure', async () => {
		const ton = new FakeTon();
		ton.changes['dns/records'] = () => ({
			records: [{ domain: 'mallory.ton', dns_wallet: OTHER }],
		});
		expect(await failureOf(runTon(name.operations.resolve, { name: 'alice.ton' }, ton))).toMatch(
			/Its domain must be the name that was asked for; got "?mallory/,
		);
	});

	test.each(['alice', '.ton', '-a.ton', 'a_b.ton', 'аlice.ton', 'a..ton', 'a.eth', ''])(
		'%p is refused before anything is asked',
		async (given) => {
			const ton = new FakeTon();
			expect(await failureOf(runTon(name.operations.resolve, { name: given }, ton))).toMatch(
				/^'Name' (must be|is required)/,
			);
			expect(ton.asked).toEqual([]);
		},
	);
});
