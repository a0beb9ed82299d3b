import { Address, beginCell, internal, toNano } from '@ton/core';
import { parseBag } from '../../nodes/core/ton/bag/parse';
import { parseTonAccount } from '../../nodes/core/ton/address';
import { readComment } from '../../nodes/core/ton/bodies';
import { findJettonEvent } from '../../nodes/core/ton/jettonTransfers';
import { readMethodResult } from '../../nodes/core/ton/stack';
import { readTransaction } from '../../nodes/core/ton/transactions';
import { type Json, openTon, openWallets, signTransfer, wrap } from './support/tonClient.mts';

const ton = openTon();
const SHOP = `0:${'cd'.repeat(32)}`;
const people = () => ton.chain().people;
const upper = (raw: string) => raw.toUpperCase();

const walletOf = async (owner_address: string, jetton_address = ton.chain().jetton) =>
	(await ton.list('jetton/wallets', 'jetton_wallets', { owner_address, jetton_address }))[0];

/** Reads the events of an owner's jetton wallet with the reader of this package. */
async function readEvents(owner: string) {
	const wallet = await walletOf(owner);
	if (!wallet) return [];
	const own = { owner: parseTonAccount(owner), master: parseTonAccount(ton.chain().jetton) };
	const found = await ton.transactions(String(wallet.address));
	return found.flatMap((one) => findJettonEvent(one, own) ?? []);
}

const listAttempts = async (owner: string, direction: string) =>
	await ton.list('jetton/transfers', 'jetton_transfers', { owner_address: owner, direction });

describe('jettons', () => {
	test('of the seed are described on the chain, and beside the lists', async () => {
		const address = ton.chain().jetton;
		const { json } = await ton.get('jetton/masters', { address });
		expect(json.jetton_masters).toEqual([
			expect.objectContaining({
				address: upper(address),
				total_supply: '4000000000',
				mintable: true,
				admin_address: upper(people().giver.v3r2),
				jetton_content: { name: 'Sandbox Dollar', symbol: 'SBD', decimals: '6' },
			}),
		]);
		expect(json.metadata).toMatchObject({
			[upper(address)]: {
				is_indexed: true,
				token_info: [{ symbol: 'SBD', extra: { decimals: '6' } }],
			},
		});
		expect(json.address_book).toMatchObject({
			[upper(address)]: {
				interfaces: ['jetton_master'],
				user_friendly: expect.stringMatching(/^EQ/),
			},
			[upper(people().giver.v3r2)]: { user_friendly: expect.stringMatching(/^UQ/) },
		});
		const bare = await ton.sendHeaders(`jetton/masters?address=${address}`, {
			'x-no-address-book': 'true',
			'x-no-metadata': 'true',
		});
		expect(Object.keys(bare.json)).toEqual(['jetton_masters']);
	});

	test('that stand off the chain have facts once they were fetched', async () => {
		const uri = 'https://example.com/jetton.json';
		const unknown = await ton.control('jettons', { content: { uri } });
		const address = String(unknown.address);
		const before = await ton.get('jetton/masters', { address });
		expect(before.json.metadata).toEqual({
			[upper(address)]: { is_indexed: false, token_info: [] },
		});
		await ton.control('jettons', {
			content: { uri: `${uri}?2` },
			fetched: { symbol: 'OFF', decimals: '2' },
		});
		await ton.control('jettons', {
			content: { uri: `${uri}?3` },
			fetched: { symbol: 'ODD', decimals: 3 },
		});
		const { json } = await ton.get('jetton/masters', { admin_address: people().giver.v3r2 });
		expect((json.jetton_masters as Json[]).map((one) => one.jetton_content)).toContainEqual({
			uri,
		});
		const metadata = JSON.stringify(json.metadata);
		expect(metadata).toContain('"symbol":"OFF","extra":{"decimals":"2"');
		expect(metadata).toContain('"symbol":"ODD","extra":{"decimals":3');
	});

	test('are paid by a wallet of foreign code, and the receiver sees them with their comment', async () => {
		const wallets = openWallets(people().alice);
		const { v4r2 } = wallets;
		const own = await walletOf(people().alice.v4r2);
		const body = beginCell()
			.storeUint(0x0f8a7ea5, 32)
			.storeUint(77, 64)
			.storeCoins(2_500_000n)
			.storeAddress(Address.parse(SHOP))
			.storeAddress(v4r2.address)
			.storeMaybeRef(null)
			.storeCoins(1n)
			.storeBit(false)
			.storeUint(0, 32)
			.storeStringTail('invoice 12');
		const message = internal({
			to: Address.parse(String(own?.address)),
			value: toNano('0.1'),
			body: body.endCell(),
		});
		const transfer = signTransfer(wallets, 'v4r2', { seqno: 1, messages: [message] });
		expect((await ton.post('message', { boc: wrap(v4r2.address, transfer) })).status).toBe(200);

		const [event] = await readEvents(SHOP);
		expect(event).toMatchObject({
			kind: 'movement',
			queryId: 77n,
			movement: { value: 2_500_000n, direction: 'in' },
		});
		const [attempt] = await listAttempts(SHOP, 'in');
		expect(attempt).toMatchObject({
			query_id: '77',
			amount: '2500000',
			transaction_aborted: false,
		});
		expect(readComment(parseBag(attempt?.forward_payload)).comment).toBe('invoice 12');
		expect(await listAttempts(SHOP, 'out')).toEqual([]);
		expect(await listAttempts(people().alice.v4r2, 'out')).toHaveLength(1);
		expect(await walletOf(SHOP)).toMatchObject({ balance: '2500000', owner: upper(SHOP) });
		expect(await walletOf(people().alice.v4r2)).toMatchObject({ balance: '997500000' });
	});

	test('that came back stand in the list of attempts, and nothing arrived', async () => {
		await ton.control('mint', { to: SHOP, amount: '5' });
		const { address } = (await walletOf(SHOP))!;
		const before = await ton.list('transactions', 'transactions', { account: String(address) });
		await ton.control('fail', { address: String(address), exitCode: 709 });
		const jetton = ton.chain().jetton;
		await ton.control('pay', { to: SHOP, amount: '3', jetton });

		expect(await listAttempts(SHOP, 'in')).toMatchObject([
			{ amount: '3', transaction_aborted: false },
		]);
		const [refused, ...earlier] = await ton.transactions(String(address));
		expect(refused?.outcome).toMatchObject({
			exitCode: 709,
			hasBounced: true,
			failure: { phase: 'compute' },
		});
		expect(earlier).toHaveLength(before.length);
		const [returned] = await readEvents(people().giver.v3r2);
		expect(returned).toMatchObject({ kind: 'return', value: 3n });
		expect(await walletOf(people().giver.v3r2)).toMatchObject({ balance: '1000000000' });
	});

	test('more than there are is aborted with the code of the standard', async () => {
		const jetton = ton.chain().jetton;
		await ton.control('pay', { to: SHOP, amount: '1000000001', jetton });
		expect(await listAttempts(SHOP, 'in')).toMatchObject([{ transaction_aborted: true }]);
		const own = await walletOf(people().giver.v3r2);
		const [failed] = await ton.transactions(String(own?.address));
		expect(failed?.outcome.exitCode).toBe(706);
	});

	test('several masters need one owner, and balances of zero can be left out', async () => {
		const second = await ton.control('jettons', {
			content: { symbol: 'TWO', name: 'Two', decimals: '0' },
		});
		const owner_address = people().alice.v3r2;
		await ton.control('mint', { to: owner_address, amount: '7', jetton: second.address });
		const jetton_address = [ton.chain().jetton, String(second.address)];
		const both = await ton.list('jetton/wallets', 'jetton_wallets', {
			owner_address,
			jetton_address,
		});
		expect(both.map(({ balance }) => balance)).toEqual(['1000000000', '7']);
		const sorted = await ton.list('jetton/wallets', 'jetton_wallets', {
			owner_address,
			sort: 'asc',
		});
		expect(sorted.map(({ balance }) => balance)).toEqual(['7', '1000000000']);
		const { status } = await ton.get('jetton/wallets', { jetton_address });
		expect(status).toBe(422);
	});
});

describe('traces', () => {
	test('hold the whole tree, found by the message of either hash', async () => {
		const { messageHash } = await ton.control('mint', {
			to: SHOP,
			amount: '5',
			forwardAmount: '0.01',
		});
		const [trace] = await ton.list('traces', 'traces', { msg_hash: String(messageHash) });
		expect(trace).toMatchObject({
			is_incomplete: false,
			external_hash: messageHash,
			trace_info: { trace_state: 'complete', pending_messages: 0, transactions: 5 },
		});
		const {
			trace: root,
			transactions,
			transactions_order: order,
		} = trace as {
			trace: Tree;
			transactions: Record<string, Json>;
			transactions_order: string[];
		};
		expect(listHashes(root).toSorted()).toEqual(order.toSorted());
		for (const json of Object.values(transactions))
			expect(readTransaction(json).isFinal).toBe(true);
		const [same] = await ton.list('traces', 'traces', { tx_hash: order.at(-1)! });
		expect(same?.trace_id).toBe(trace?.trace_id);
	});

	test('are pending while messages are on their way', async () => {
		const wallets = openWallets(people().alice);
		await ton.configure({ hold: true });
		const messages = [internal({ to: Address.parse(SHOP), value: 1n, bounce: false })];
		const body = signTransfer(wallets, 'v5r1', { seqno: 1, messages });
		const { json } = await ton.post('message', { boc: wrap(wallets.v5r1.address, body) });
		const find = async () =>
			(await ton.list('traces', 'traces', { msg_hash: String(json.message_hash_norm) }))[0];
		expect(await find()).toBeUndefined();
		await ton.control('step', { messages: 1 });
		expect(await find()).toMatchObject({
			trace_info: { trace_state: 'pending', pending_messages: 1 },
			trace: { children: null },
		});
		await ton.control('step', { messages: 1 });
		expect(await find()).toMatchObject({
			trace_info: { trace_state: 'complete' },
			trace: { children: [{}] },
		});
	});
});

interface Tree {
	readonly tx_hash: string;
	readonly children: readonly Tree[];
}

const listHashes = ({ tx_hash, children }: Tree): string[] => [
	tx_hash,
	...children.flatMap(listHashes),
];

describe('NFTs and names', () => {
	test('belong to whom the contract says, before and after a transfer', async () => {
		const { alice } = people();
		const owner_address = alice.v4r2;
		const [item, name] = await ton.list('nft/items', 'nft_items', { owner_address });
		expect(item).toMatchObject({
			index: '0',
			init: true,
			on_sale: false,
			content: { uri: 'https://example.com/items/0.json' },
			collection: { collection_content: { uri: 'https://example.com/collection.json' } },
		});
		expect(name).toMatchObject({ index: '1', content: { domain: 'alice.ton' } });
		const { json } = await ton.post('runGetMethod', {
			address: String(item?.address),
			method: 'get_nft_data',
			stack: [],
		});
		const [, index, collection, owner] = readMethodResult(json).result as string[];
		expect([index, Address.parse(collection!).toRawString()]).toEqual([0, ton.chain().collection]);
		expect(Address.parse(owner!).toRawString()).toBe(alice.v4r2);

		const wallets = openWallets(alice);
		const { v4r2 } = wallets;
		const body = beginCell()
			.storeUint(0x5fcc3d14, 32)
			.storeUint(0, 64)
			.storeAddress(Address.parse(SHOP))
			.storeAddress(v4r2.address)
			.storeMaybeRef(null)
			.storeCoins(0)
			.storeBit(false);
		const to = Address.parse(String(item?.address));
		const messages = [internal({ to, value: toNano('0.1'), body: body.endCell() })];
		const transfer = signTransfer(wallets, 'v4r2', { seqno: 1, messages });
		await ton.post('message', { boc: wrap(v4r2.address, transfer) });
		const [moved] = await ton.list('nft/items', 'nft_items', { owner_address: SHOP });
		expect(moved).toMatchObject({ address: item?.address, owner_address: upper(SHOP) });
	});

	test('are made by the control, and found by collection and index', async () => {
		await ton.control('nfts', { owner: SHOP, content: 'two.json' });
		const query = { collection_address: ton.chain().collection, index: '2' };
		expect(await ton.list('nft/items', 'nft_items', query)).toMatchObject([
			{ owner_address: upper(SHOP), content: { uri: 'https://example.com/items/two.json' } },
		]);
	});

	test('names lead to wallets, and back; free ones to nothing', async () => {
		const { alice } = people();
		const found = await ton.list('dns/records', 'records', { domain: 'alice.ton' });
		expect(found).toMatchObject([
			{ dns_wallet: upper(alice.v4r2), nft_item_owner: upper(alice.v4r2) },
		]);
		expect(await ton.list('dns/records', 'records', { wallet: alice.v4r2 })).toEqual(found);
		expect(await ton.list('dns/records', 'records', { domain: 'Alice.ton' })).toEqual([]);
		await ton.control('names', { domain: 'shop.ton', owner: SHOP });
		expect(await ton.list('dns/records', 'records', { domain: 'shop.ton' })).toMatchObject([
			{ dns_wallet: null },
		]);
		const { json } = await ton.get('transactions', { account: alice.v4r2 });
		expect(json.address_book).toMatchObject({ [upper(alice.v4r2)]: { domain: 'alice.ton' } });
	});
});
