import {
	type Address,
	beginCell,
	type Cell,
	contractAddress,
	external,
	internal,
	SendMode,
	type StateInit,
	storeMessage,
	toNano,
} from '@ton/core';
import {
	buildJettonMaster,
	buildJettonMint,
	buildJettonTransfer,
	buildNftCollection,
	buildNftMint,
	type Content,
	getJettonWalletAddress,
	getNftItemAddress,
	type JettonPayment,
} from './contracts.mts';
import { alice, bob, giver, signTransfer, WALLET_KINDS, type WalletKind } from './keys.mts';
import { hashOf, type Snapshot, TonLedger } from './ledger.mts';
import { SEED_BLOCK, SEED_SECONDS } from './chainState.mts';

export interface Payment {
	to: Address;
	coins: bigint;
	bounce?: boolean;
	body?: Cell | string;
	init?: StateInit;
}

const FOREVER_SECONDS = 0xffff_ffff;

/** Pays from the wallet of the giver. Returns the hash of the message from outside. */
export async function pay(ledger: TonLedger, ...payments: readonly Payment[]): Promise<string> {
	return await ledger.inGiversTurn(async () => await payAtOnce(ledger, payments));
}

async function payAtOnce(ledger: TonLedger, payments: readonly Payment[]): Promise<string> {
	const state = ledger.getAccount(giver.v3r2.address.toRawString())?.account?.storage.state;
	if (state?.type !== 'active') throw new Error('the giver has no wallet');
	const body = await signTransfer(giver, 'v3r2', {
		seqno: state.state.data!.beginParse().loadUint(32),
		sendMode: SendMode.PAY_GAS_SEPARATELY,
		timeout: FOREVER_SECONDS,
		messages: payments.map(({ to, coins, bounce = false, body, init }) =>
			internal({ to, value: coins, bounce, body, init }),
		),
	});
	const message = external({ to: giver.v3r2.address, body });
	const cell = beginCell().store(storeMessage(message)).endCell();
	await ledger.send(cell);
	return hashOf(cell);
}

const MINT_COINS = toNano('0.2');
const MINT_FORWARD_COINS = toNano('0.15');
const ITEM_COINS = toNano('0.05');

export async function createJetton(ledger: TonLedger, content: Content): Promise<Address> {
	const init = buildJettonMaster(giver.v3r2.address, content);
	const to = contractAddress(0, init);
	await pay(ledger, { to, coins: toNano('0.5'), init });
	return to;
}

export async function mintJettons(
	ledger: TonLedger,
	master: Address,
	payment: Omit<JettonPayment, 'response'>,
): Promise<string> {
	const mint = { ...payment, response: giver.v3r2.address };
	const coins = MINT_FORWARD_COINS + payment.forward;
	const body = buildJettonMint(mint, coins);
	return await pay(ledger, { to: master, coins: MINT_COINS + payment.forward, bounce: true, body });
}

/** Pays jettons that the giver owns. */
export async function payJettons(
	ledger: TonLedger,
	master: Address,
	payment: Omit<JettonPayment, 'response'>,
): Promise<string> {
	const body = buildJettonTransfer({ ...payment, response: giver.v3r2.address });
	const to = getJettonWalletAddress(master, giver.v3r2.address);
	return await pay(ledger, { to, coins: MINT_COINS + payment.forward, bounce: true, body });
}

const ITEMS_URL = 'https://example.com/items/';
const SEED_ITEM = { content: '0.json', fetched: { name: 'Sandbox Piece' } };

const collectionInit = buildNftCollection(
	giver.v3r2.address,
	{ uri: 'https://example.com/collection.json' },
	ITEMS_URL,
);
export const collection = contractAddress(0, collectionInit);

/** Mints an NFT. Its index is the number of items that exist so far. */
export async function mintNft(
	ledger: TonLedger,
	owner: Address,
	content: string,
): Promise<Address> {
	const index = BigInt(countItems(ledger));
	const body = buildNftMint(index, owner, content, ITEM_COINS);
	await pay(ledger, { to: collection, coins: 2n * ITEM_COINS, bounce: true, body });
	return getNftItemAddress(collection, index);
}

function countItems(ledger: TonLedger): number {
	const state = ledger.getAccount(collection.toRawString())?.account?.storage.state;
	if (state?.type !== 'active') throw new Error('there is no collection');
	const data = state.state.data!.beginParse();
	data.loadAddress();
	return data.loadUint(64);
}

/** Registers a name as an NFT. The records of the name are stored outside the chain. */
export async function registerName(
	ledger: TonLedger,
	domain: string,
	owner: Address,
	wallet: Address | null,
): Promise<Address> {
	const item = await mintNft(ledger, owner, domain);
	const record = { domain, item: item.toRawString(), wallet: wallet?.toRawString() ?? null };
	ledger.registry.names.set(domain, record);
	return item;
}

export const seedNft = getNftItemAddress(collection, 0n);
export const seedNameNft = getNftItemAddress(collection, 1n);

const SEED_JETTON: Content = { name: 'Sandbox Dollar', symbol: 'SBD', decimals: '6' };
export const SEED_NAME = 'alice.ton';
const seedJettonInit = buildJettonMaster(giver.v3r2.address, SEED_JETTON);
export const seedJetton = contractAddress(0, seedJettonInit);
const SEED_JETTONS = 1_000_000_000n;

async function createSeed(): Promise<Snapshot> {
	const nothing = { accounts: new Map<string, string>(), rows: [], lt: 0n };
	const registry = { names: new Map(), offChain: new Map() };
	const ledger = new TonLedger({ ...nothing, registry }, 0, () => SEED_SECONDS);
	addGiver(ledger);
	for (const person of [alice, bob]) {
		const wallets = WALLET_KINDS.map((kind) => ({ to: person[kind].address, coins: toNano(1000) }));
		await pay(ledger, ...wallets);
	}
	for (const kind of WALLET_KINDS) await deployWallet(ledger, kind);
	await createJetton(ledger, SEED_JETTON);
	const owners = [giver.v3r2, alice.v3r2, alice.v4r2, alice.v5r1];
	for (const { address: to } of owners) {
		const payment = { amount: SEED_JETTONS, to, forward: 0n, payload: null };
		await mintJettons(ledger, seedJetton, payment);
	}
	await pay(ledger, { to: collection, coins: toNano('0.5'), init: collectionInit });
	ledger.registry.offChain.set(`${ITEMS_URL}${SEED_ITEM.content}`, SEED_ITEM.fetched);
	await mintNft(ledger, alice.v4r2.address, SEED_ITEM.content);
	await registerName(ledger, SEED_NAME, alice.v4r2.address, alice.v4r2.address);
	return ledger.takeSnapshot();
}

const GIVER_COINS = toNano(1_000_000_000);

function addGiver(ledger: TonLedger): void {
	const { address, init } = giver.v3r2;
	const state = { type: 'active', state: init } as const;
	const storage = { lastTransLt: 0n, balance: { coins: GIVER_COINS }, state };
	const used = { cells: 0n, bits: 0n };
	const storageStats = { used, lastPaid: SEED_SECONDS, storageExtra: null };
	ledger.setAccount(address.toRawString(), {
		account: { addr: address, storage, storageStats },
		lastTransactionLt: 0n,
		lastTransactionHash: 0n,
	});
}

/** Deploys a wallet of Alice with its first message, which pays one coin to the giver. */
async function deployWallet(ledger: TonLedger, kind: WalletKind): Promise<void> {
	const { address, init } = alice[kind];
	const body = await signTransfer(alice, kind, {
		seqno: 0,
		sendMode: SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS,
		timeout: FOREVER_SECONDS,
		messages: [internal({ to: giver.v3r2.address, value: toNano(1), bounce: false })],
	});
	const message = external({ to: address, init, body });
	await ledger.send(beginCell().store(storeMessage(message)).endCell());
}

let seed: Promise<Snapshot> | undefined;

/** Creates a chain from the seed. The seed is made once in each process, and is the same in all of them. */
export async function createSeededLedger(getNow: () => number): Promise<TonLedger> {
	return new TonLedger(await (seed ??= createSeed()), SEED_BLOCK, getNow);
}
