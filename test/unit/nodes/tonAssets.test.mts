import { Address, beginCell, internal } from '@ton/core';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { jetton } from '../../../nodes/Ton/jetton';
import { name } from '../../../nodes/Ton/name';
import { nft } from '../../../nodes/Ton/nft';
import { SEED_SECONDS } from '../../../sandbox/apis/ton/chainState.mts';
import {
	buildJettonTransfer,
	getJettonWalletAddress,
} from '../../../sandbox/apis/ton/contracts.mts';
import { alice, bob, giver } from '../../../sandbox/apis/ton/keys.mts';
import {
	collection,
	createJetton,
	mintJettons,
	pay,
	payJettons,
	SEED_NAME,
} from '../../../sandbox/apis/ton/seed.mts';
import { freezeTime, sign, TonIndex } from '../support/tonChain.mts';
import { addressOfCell } from '../support/tonCells.mts';
import {
	bocOf,
	commentCell,
	failureOf,
	type Row,
	runTon,
	toHex,
	upperRaw,
} from '../support/tonService.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

const [owner, other] = [alice.v4r2.address, giver.v3r2.address];
const OWN = upperRaw(owner);
const friendly = (address: Address, bounceable = false) => address.toString({ bounceable });
const CONTENT = { symbol: 'USDT', decimals: '6' };
const BEGUN = 1000 * SEED_SECONDS;

freezeTime();

/**
 * Creates a wallet's history: 7 jettons come in and 5 go out. One goes out, fails and comes back five seconds after
 * the beginning. A false sender claims to have sent 3, and 9 of another jetton with the same symbol come in.
 */
async function createHistory() {
	const ton = new TonIndex();
	const ledger = await ton.ledger();
	const { makeFail } = await ton.act();
	const at = (seconds: number) => jest.setSystemTime(BEGUN + 1000 * seconds);
	const payIn = async (master: Address, amount: bigint, comment: string) =>
		await payJettons(ledger, master, {
			amount,
			to: owner,
			forward: 1n,
			payload: commentCell(comment),
		});
	const masters = [
		await createJetton(ledger, CONTENT),
		await createJetton(ledger, { ...CONTENT, name: 'False' }),
	] as const;
	for (const master of masters)
		await mintJettons(ledger, master, { amount: 9n, to: other, forward: 0n, payload: null });
	const [master, falseMaster] = masters;
	const wallet = getJettonWalletAddress(master, owner);
	const send = async (seqno: number, amount: bigint, to: Address, hold = false) => {
		const body = buildJettonTransfer({ amount, to, response: owner, forward: 1n, payload: null });
		const message = internal({ to: wallet, value: '0.1', body });
		await ledger.send((await sign('v4r2', { seqno, messages: [message] })).cell, { hold });
	};
	at(1);
	await payIn(master, 7n, 'invoice 7');
	at(2);
	await payIn(falseMaster, 9n, 'gift');
	at(3);
	await send(1, 5n, other);
	const failing = addressOfCell(1);
	await makeFail({
		address: getJettonWalletAddress(master, failing).toRawString(),
		exitCode: 99,
	});
	at(4);
	await send(2, 1n, failing, true);
	await ledger.step(3);
	at(5);
	await ledger.step(9);
	at(6);
	const receipt = beginCell()
		.storeUint(0x178d4519, 32)
		.storeUint(3, 64)
		.storeCoins(3)
		.storeAddress(other)
		.storeAddress(other)
		.storeCoins(1)
		.storeMaybeRef(commentCell('late'));
	await pay(ledger, { to: wallet, coins: 100_000_000n, body: receipt.endCell() });
	const rows = ledger.rows.filter(({ account }) => account === wallet.toRawString());
	return { ledger, master, falseMaster, rows };
}

let history: ReturnType<typeof createHistory> | undefined;

async function readHistory() {
	const { ledger, ...facts } = await (history ??= createHistory());
	return { ton: new TonIndex(ledger), ...facts };
}

describe('jetton transfers', () => {
	const all = { owner: OWN, returnAll: true };
	const values = (found: readonly Row[]) =>
		found.map(({ direction, value }) => `${direction} ${value}`);

	test('are what the own jetton wallets took in and sent, merged by time, without what came back', async () => {
		const { ton, master, falseMaster, rows } = await readHistory();
		expect(rows.map(({ transaction }) => transaction.now - SEED_SECONDS)).toEqual([1, 3, 4, 5, 6]);
		const found = await runTon(jetton.operations.getTransfers, all, ton);
		const since = found.filter(({ timestamp }) => Date.parse(String(timestamp)) > BEGUN);
		expect(values(since)).toEqual(['out 5', 'in 9', 'in 7']);
		expect(since[2]).toEqual({
			key: expect.stringMatching(/^[0-9a-f]{64}:jettons$/),
			chain: 'ton',
			direction: 'in',
			jetton: friendly(master, true),
			token: friendly(master, true),
			symbol: 'USDT',
			decimals: 6,
			from: friendly(other),
			to: friendly(owner),
			value: '7',
			amount: '0.000007',
			comment: 'invoice 7',
			timestamp: '2026-01-15T10:00:01.000Z',
			transactionHash: toHex(rows[0]?.hash ?? ''),
			lt: String(rows[0]?.transaction.lt),
		});
		expect(since[1]).toMatchObject({ jetton: friendly(falseMaster, true), symbol: 'USDT' });
	});

	test('of some jettons, in one direction, within a time', async () => {
		const { ton, master } = await readHistory();
		const wanted = { ...all, jettons: friendly(master) };
		const valuesOf = async (more: Row) =>
			values(await runTon(jetton.operations.getTransfers, { ...wanted, ...more }, ton));
		expect(await valuesOf({})).toEqual(['out 5', 'in 7']);
		expect(await valuesOf({ direction: 'in' })).toEqual(['in 7']);
		expect(await valuesOf({ direction: 'out' })).toEqual(['out 5']);
		expect(await valuesOf({ fromTime: SEED_SECONDS + 2 })).toEqual(['out 5']);
		// One transfer failed, and its jettons came back only after this period. The transfer is left out nevertheless.
		expect(await valuesOf({ toTime: SEED_SECONDS + 4 })).toEqual(['out 5', 'in 7']);
	});

	test.each(['cell', 'slice'])(
		'are those of the wallet that the master names in a %s, where the index lists none',
		async (type) => {
			const { ton, master } = await readHistory();
			ton.changes['jetton/wallets'] = (answer) => ({ ...answer, jetton_wallets: [] });
			ton.changes.runGetMethod = ({ stack, ...answer }) => {
				const [named] = stack as [Row];
				return { ...answer, stack: [{ ...named, type }] };
			};
			const given = { ...all, jettons: friendly(master) };
			const found = await runTon(jetton.operations.getTransfers, given, ton);
			expect(values(found)).toEqual(['out 5', 'in 7']);
		},
	);

	test('of a master that names no wallet are a failure', async () => {
		const { ton, master } = await readHistory();
		ton.changes['jetton/wallets'] = (answer) => ({ ...answer, jetton_wallets: [] });
		const value = bocOf(beginCell().storeAddress(null).endCell());
		ton.changes.runGetMethod = () => ({ exit_code: 0, stack: [{ type: 'cell', value }] });
		const given = { ...all, jettons: friendly(master) };
		expect(await failureOf(runTon(jetton.operations.getTransfers, given, ton))).toMatch(
			/^There is no jetton at EQ/,
		);
	});

	test('of an owner without jetton wallets are none', async () => {
		const given = { ...all, owner: friendly(bob.v4r2.address) };
		expect(await runTon(jetton.operations.getTransfers, given, new TonIndex())).toEqual([]);
	});
});

describe('NFTs', () => {
	const downloading = (files: Readonly<Record<string, string>>) => ({
		shared: createShared(),
		download: async ({ url }: { url: string }) =>
			await (url in files
				? Promise.resolve(Buffer.from(files[url] ?? ''))
				: Promise.reject(new RequestFailure('The server answered 404'))),
	});

	test('have an owner, a collection and metadata', async () => {
		const ton = new TonIndex();
		const { createNft } = await ton.act();
		const holder = bob.v5r1.address;
		const made = [];
		for (const content of ['2.json', '3.json', '4.json'])
			made.push((await createNft({ owner: holder.toRawString(), content })).address);
		const addresses = made.map((one) => Address.parse(one));
		// The NFT with the index 3 is on sale, and has its content on the chain.
		ton.changes['nft/items'] = ({ nft_items: items, ...answer }) => ({
			...answer,
			nft_items: (items as Row[]).map((one) =>
				one.index === '3'
					? {
							...one,
							owner_address: OWN,
							real_owner: upperRaw(holder),
							content: { name: 'On the chain' },
						}
					: one,
			),
		});
		const files = downloading({ 'https://example.com/items/2.json': '{"name": "First"}' });
		const given = { collection: friendly(collection), owner: friendly(holder), returnAll: true };
		expect(await runTon(nft.operations.getAll, given, ton, files)).toEqual([
			{
				address: friendly(addresses[0]!, true),
				collection: friendly(collection, true),
				index: '2',
				owner: friendly(holder),
				name: 'First',
				metadata: { name: 'First' },
				metadataError: null,
			},
			expect.objectContaining({
				owner: friendly(holder),
				name: 'On the chain',
				metadata: { name: 'On the chain' },
			}),
			expect.objectContaining({
				name: null,
				metadata: null,
				metadataError: 'The server answered 404',
			}),
		]);
		const one = { address: friendly(addresses[0]!), options: { fetchMetadata: false } };
		expect(await runTon(nft.operations.get, one, ton)).toMatchObject([
			{ index: '2', metadata: null, metadataError: null },
		]);
	});

	test('that are none, or another than was asked for, are a failure', async () => {
		const ton = new TonIndex();
		const given = { address: friendly(owner) };
		expect(await failureOf(runTon(nft.operations.get, given, ton))).toMatch(
			/^There is no NFT at EQ/,
		);
		const ofOwner = (await ton.call({ path: `/api/v3/nft/items?owner_address=${OWN}` })) as Row;
		ton.changes['nft/items'] = () => ofOwner;
		expect(await failureOf(runTon(nft.operations.get, given, ton))).toMatch(
			/Its address must be what was asked for/,
		);
		const others = { owner: friendly(other) };
		expect(await failureOf(runTon(nft.operations.getAll, others, ton))).toMatch(
			/Its owner_address must be what was asked for/,
		);
		expect(await failureOf(runTon(nft.operations.getAll, {}, ton))).toMatch(
			/^'Owner' or 'Collection' is required/,
		);
	});
});

describe('names', () => {
	test('lead to an account, or to none', async () => {
		const ton = new TonIndex();
		const { createName } = await ton.act();
		await createName({ domain: 'shop.ton', owner: OWN, wallet: bob.v4r2.address.toRawString() });
		await createName({ domain: 'empty.ton', owner: OWN, wallet: null });
		const resolve = async (given: string) =>
			await runTon(name.operations.resolve, { name: given }, ton);
		expect(await resolve(' Shop.TON ')).toEqual([
			{ name: 'shop.ton', address: friendly(bob.v4r2.address), owner: friendly(owner) },
		]);
		expect(await resolve('empty.ton')).toEqual([
			{ name: 'empty.ton', address: null, owner: friendly(owner) },
		]);
		expect(await resolve('bob.ton')).toEqual([{ name: 'bob.ton', address: null, owner: null }]);
	});

	test('of somebody else are a failure', async () => {
		const ton = new TonIndex();
		ton.changes['dns/records'] = ({ records }) => ({
			records: (records as Row[]).map((one) => ({ ...one, domain: 'mallory.ton' })),
		});
		expect(await failureOf(runTon(name.operations.resolve, { name: SEED_NAME }, ton))).toMatch(
			/Its domain must be the name that was asked for; got "?mallory/,
		);
	});

	test.each(['alice', '.ton', '-a.ton', 'a_b.ton', 'аlice.ton', 'a..ton', 'a.eth', ''])(
		'%p is refused before anything is asked',
		async (given) => {
			const ton = new TonIndex();
			expect(await failureOf(runTon(name.operations.resolve, { name: given }, ton))).toMatch(
				/^'Name' (must be|is required)/,
			);
			expect(ton.asked).toEqual([]);
		},
	);
});
