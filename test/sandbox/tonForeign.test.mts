import { Address, internal, SendMode, toNano } from '@ton/core';
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

test('fees are those of the account as it stands, and are paid by the transfer', async () => {
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
