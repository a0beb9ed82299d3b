import {
	Address,
	beginCell,
	Cell,
	contractAddress,
	internal,
	SendMode,
	toNano,
	type TupleItem,
	TupleReader,
} from '@ton/core';
import { JettonMaster, JettonWallet, TonClient, WalletContractV4 } from '@ton/ton';
import { openTon, openWallets, signTransfer } from './support/tonClient.mts';

const ton = openTon();
const SHOP = Address.parse(`0:${'cd'.repeat(32)}`);

function connect(): TonClient {
	const { nodeUrl, authToken } = ton.sandbox;
	return new TonClient({ endpoint: `${nodeUrl}/${authToken}/api/v2/jsonRPC` });
}

test('a foreign client deploys a wallet, pays, and reads what came of it', async () => {
	const client = connect();
	const { publicKey, secretKey } = openWallets(ton.chain().people.bob);
	const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
	expect(await client.isContractDeployed(wallet.address)).toBe(false);
	const messages = [internal({ to: SHOP, value: toNano('2'), bounce: false, body: 'thanks' })];
	await wallet.sendTransfer({ seqno: 0, secretKey, sendMode: SendMode.NONE, messages });
	expect(await wallet.getSeqno()).toBe(1);
	expect(await client.getBalance(SHOP)).toBeGreaterThan(toNano('1.99'));

	const [sent, funded] = await client.getTransactions(wallet.address, { limit: 10 });
	const [received] = await client.getTransactions(SHOP, { limit: 10 });
	expect(sent?.outMessages.get(0)?.info.dest?.toString()).toBe(SHOP.toString());
	expect(received?.inMessage?.info.src?.toString()).toBe(wallet.address.toString());
	expect(sent?.prevTransactionLt).toBe(funded?.lt);
	await expect(
		wallet.sendTransfer({ seqno: 0, secretKey, sendMode: SendMode.NONE, messages }),
	).rejects.toThrow('500');
});

test("a foreign client's jettons are ours", async () => {
	const client = connect();
	const { alice, bob } = ton.chain().people;
	const master = client.open(JettonMaster.create(Address.parse(ton.chain().jetton)));
	expect(await master.getJettonData()).toMatchObject({
		totalSupply: 4_000_000_000n,
		mintable: true,
	});
	const owner = Address.parse(alice.v3r2);
	const wallet = client.open(JettonWallet.create(await master.getWalletAddress(owner)));
	expect(await wallet.getBalance()).toBe(1_000_000_000n);
	const [ours] = await ton.list('jetton/wallets', 'jetton_wallets', { owner_address: alice.v3r2 });
	expect(ours?.address).toBe(wallet.address.toRawString().toUpperCase());
	const none = client.open(
		JettonWallet.create(await master.getWalletAddress(Address.parse(bob.v3r2))),
	);
	expect(await none.getBalance()).toBe(0n);
});

/**
 * Parses an entry of the stack in an answer of version 3 of the index, as the documentation of the index describes
 * it.
 */
function parseEntry(entry: unknown): TupleItem {
	const { type, value } = entry as { readonly type: string; readonly value: string & unknown[] };
	if (type === 'num') {
		const isNegative = value.startsWith('-');
		return { type: 'int', value: isNegative ? -BigInt(value.slice(1)) : BigInt(value) };
	}
	if (type === 'cell' || type === 'slice') return { type, cell: Cell.fromBase64(value) };
	if (type === 'list' && value.length === 0) return { type: 'null' };
	if (type === 'tuple') return { type, items: [...value].map(parseEntry) };
	throw new Error(`Unknown entry ${type}`);
}

async function runInVersion3(address: string, method: string, args: readonly Cell[] = []) {
	const stack = args.map((cell) => ({ type: 'slice', value: cell.toBoc().toString('base64') }));
	const { json } = await ton.post('runGetMethod', { address, method, stack });
	return json.stack as readonly { readonly type: string; readonly value: unknown }[];
}

test('get-methods give the same in both versions, and call an address a cell', async () => {
	const client = connect();
	const { jetton, collection, people } = ton.chain();
	const [{ address: nft } = {}] = await ton.list('nft/items', 'nft_items', {
		owner_address: people.alice.v4r2,
	});
	const owner = Address.parse(people.alice.v4r2);
	const ask = beginCell().storeAddress(owner).endCell();

	const calls = [
		{ address: jetton, method: 'get_jetton_data', args: [], types: 'num num cell cell cell' },
		{ address: jetton, method: 'get_wallet_address', args: [ask], types: 'cell' },
		{ address: String(nft), method: 'get_nft_data', args: [], types: 'num num cell cell cell' },
		{ address: collection, method: 'get_collection_data', args: [], types: 'num cell cell' },
	];
	for (const { address, method, args, types } of calls) {
		const entries = await runInVersion3(address, method, args);
		expect(entries.map(({ type }) => type).join(' ')).toBe(types);
		const given = args.map((cell): TupleItem => ({ type: 'slice', cell }));
		const { stack } = await client.runMethod(Address.parse(address), method, given);
		const describe = (reader: TupleReader) => {
			const items: unknown[] = [];
			while (reader.remaining > 0) {
				const item = reader.pop();
				items.push(item.type === 'cell' ? item.cell.hash().toString('hex') : item);
			}
			return items;
		};
		expect(describe(new TupleReader(entries.map(parseEntry)))).toEqual(describe(stack));
	}

	const wallet = new TupleReader(
		(await runInVersion3(jetton, 'get_wallet_address', [ask])).map(parseEntry),
	);
	const master = client.open(JettonMaster.create(Address.parse(jetton)));
	expect(wallet.readAddress().equals(await master.getWalletAddress(owner))).toBe(true);
	const item = new TupleReader((await runInVersion3(String(nft), 'get_nft_data')).map(parseEntry));
	expect(item.skip(3).readAddress().equals(owner)).toBe(true);
});

/**
 * The code of a contract that always returns its data as a slice within a tuple: SETCP 0, DROP, c4 PUSHCTR, CTOS, 1
 * TUPLE.
 */
const TUPLE_CODE = beginCell().storeBuffer(Buffer.from('ff0030ed44d06f01', 'hex')).endCell();

test('within a tuple a slice is none of the cells, in both versions', async () => {
	const data = beginCell().storeAddress(SHOP).endCell();
	const init = { code: TUPLE_CODE, data };
	const address = contractAddress(0, init);
	const wallets = openWallets(ton.chain().people.alice);
	const messages = [internal({ to: address, value: toNano('1'), bounce: false, init })];
	const body = signTransfer(wallets, 'v4r2', { seqno: 1, messages });
	await connect().provider(wallets.v4r2.address).external(body);

	const slice = { type: 'slice', value: data.toBoc().toString('base64') };
	expect(await runInVersion3(address.toRawString(), 'get_it')).toEqual([
		{ type: 'tuple', value: [slice] },
	]);
	const { stack } = await connect().runMethod(address, 'get_it');
	const tuple = stack.pop();
	expect(tuple.type === 'tuple' && tuple.items.map(String)).toEqual([String(data)]);
	const { nodeUrl, authToken } = ton.sandbox;
	const response = await fetch(`${nodeUrl}/${authToken}/api/v2/jsonRPC`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({
			method: 'runGetMethod',
			params: { address: address.toString(), method: 'get_it', stack: [] },
		}),
	});
	const bytes = slice.value;
	expect(await response.json()).toMatchObject({
		result: {
			stack: [
				[
					'tuple',
					{
						elements: [{ '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes } }],
					},
				],
			],
		},
	});
});

test('fees are those of the present account, and are paid by the transfer', async () => {
	const wallets = openWallets(ton.chain().people.alice);
	const { v4r2 } = wallets;
	const messages = [internal({ to: SHOP, value: toNano('1'), bounce: false })];
	const sign = (seqno: number) => signTransfer(wallets, 'v4r2', { seqno, messages });
	const ask = async (seqno: number) =>
		await ton.post('estimateFee', {
			address: v4r2.address.toString(),
			body: sign(seqno).toBoc().toString('base64'),
			ignore_chksig: false,
		});
	expect(await ask(0)).toMatchObject({
		status: 422,
		json: { error: expect.stringMatching('exitcode=33') },
	});
	const { json } = await ask(1);
	const { in_fwd_fee, storage_fee, gas_fee, fwd_fee } = json.source_fees as Record<string, number>;

	const provider = connect().provider(v4r2.address, v4r2.init);
	const before = await connect().getBalance(v4r2.address);
	await provider.external(sign(1));
	const after = await connect().getBalance(v4r2.address);
	const estimated = in_fwd_fee! + storage_fee! + gas_fee! + fwd_fee!;
	expect(Number(before - after - toNano('1')) / estimated).toBeCloseTo(1, 3);
});
