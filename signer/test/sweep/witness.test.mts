import { createSandbox } from '../../../test/harness/sandbox.mts';
import { waitUntil } from '../../../test/harness/until.mts';
import { deposit, DESTINATION, type Sweep } from './sweepNode.mts';
import {
	base58,
	deployWitnessToken,
	openWitness,
	PAYER,
	sweptBy,
	TO,
	type WitnessScene,
} from './witnessNode.mts';

/** Tests of sweeps of coins and tokens on TRON. Balances are read from the chain's node with tronweb. */

const sandbox = createSandbox({ chain: true });
let scene: WitnessScene;
// The chain is another one in each test, but for its contracts.
beforeEach(async () => void (scene = await openWitness(sandbox)));

let used = 0;
/** Returns indexes of addresses that hold no tokens yet. */
const take = (count: number) => Array.from({ length: count }, () => used++);
const swept = async (
	parameters: Parameters<typeof sweptBy>[1],
	more?: Parameters<typeof sweptBy>[2],
) => await sweptBy(scene, parameters, more);
const COIN = 1_000_000;
/** The size of a transfer in bytes. The address needs as much bandwidth, or burns coins for it. */
const TRANSFER_BYTES = 268;

test('coins go to the destination, to the last unit', async () => {
	const amounts = [5 * COIN, 2 * COIN + 7, 12_345_678];
	for (const [index, amount] of amounts.entries()) await scene.giveCoins(index, amount);
	const before = await scene.coins(TO);
	const items = await swept({ indexes: '0-2', paymentId: 'night' });
	expect(items).toEqual(
		amounts.map((amount, index) =>
			expect.objectContaining({
				paymentId: 'night',
				chain: 'witness',
				status: 'confirmed',
				depositIndex: index,
				from: base58(index),
				to: TO,
				token: null,
				symbol: 'TRX',
				decimals: 6,
				value: String(amount),
				fee: '0',
				reason: null,
				transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
				fundingTransactionHash: null,
				fundingAmount: null,
			}),
		),
	);
	expect((await scene.coins(TO)) - before).toBe(19_345_685n);
	for (const index of amounts.keys()) expect(await scene.coins(base58(index))).toBe(0n);
	expect(items[0]?.summary).toMatch(/^Swept 5 TRX to T\w+, in block \d+, for a fee of 0 TRX\.$/);
});

test('an address without bandwidth burns coins for its bytes, and nothing is left', async () => {
	// A sweep sends the amount minus the fee for the bytes of the transaction. The fee makes the second amount one byte
	// shorter in the transaction, and leaves the length of the first unchanged.
	const amounts = [9 * COIN, 2_300_000];
	for (const amount of amounts) {
		for (let time = 0; time < 3; time++) {
			await scene.giveCoins(0, amount);
			const [item] = await swept({ indexes: 0 });
			expect(item).toMatchObject({ status: 'confirmed' });
			expect(await scene.coins(base58(0))).toBe(0n);
			const { receipt } = await scene.info(item?.transactionHash);
			const burnt = (receipt as { net_fee?: number }).net_fee ?? 0;
			expect(item?.value).toBe(String(amount - burnt));
			expect(burnt === 0 || Math.abs(burnt - TRANSFER_BYTES * 1000) <= 1000).toBe(true);
			expect(burnt > 0).toBe(amount !== 9 * COIN || time === 2);
		}
	}
});

test('a destination that is new to the chain is made by the first sweep', async () => {
	await scene.configure({ balances: { [PAYER]: 20_000 } });
	await scene.payCoins(0, 5 * COIN);
	const [item] = await swept({ indexes: 0 });
	expect(item).toMatchObject({ status: 'confirmed', amount: '3.9', fee: '1.1' });
	expect(await scene.coins(TO)).toBe(3_900_000n);
	expect(await scene.coins(base58(0))).toBe(0n);
});

test('what is worth less than its highest fee gives no item, and is told', async () => {
	await scene.giveCoins(0, 260_000);
	await scene.giveCoins(1, 270_000);
	const { items, hints } = await scene.run({ indexes: '0-2' });
	expect(items.map(({ json }) => json.depositIndex)).toEqual([1]);
	expect(hints).toEqual(
		expect.arrayContaining([
			expect.stringMatching(/^1 address holds coins/),
			expect.stringMatching(/^Strangers can send dust/),
		]),
	);
	expect(await scene.coins(base58(0))).toBe(260_000n);
});

test('tokens go to the destination, and the key tops up what the fee lacks', async () => {
	const token = await deployWitnessToken(sandbox);
	const [bare = 0, half = 0, rich = 0, empty = 0] = take(4);
	for (const index of [bare, half, rich]) await token.give(index, BigInt(1_500_000 + index));
	await scene.giveCoins(half, 500_000);
	await scene.giveCoins(rich, 50 * COIN);
	const paidBefore = await scene.coins(PAYER);
	// The destination gets a token in advance, because the first tokens of an account cost the most gas.
	await token.give(DESTINATION, 1n);
	const { items: all, hints } = await scene.run(
		{ indexes: [rich, empty, half, bare], token: token.address },
		{ deposits: { tokens: token.address } },
	);
	const items = all.map(({ json }) => json);
	expect(items.map(({ depositIndex, status, value }) => [depositIndex, status, value])).toEqual(
		[rich, half, bare].map((index) => [index, 'confirmed', String(1_500_000 + index)]),
	);
	expect(await token.of(DESTINATION)).toBe(BigInt(4_500_001 + rich + half + bare));
	const [paysItself, partly, whole] = items;
	expect(paysItself?.fundingTransactionHash).toBeNull();
	const toSun = (amount: unknown) => Math.round(Number(amount) * COIN);
	for (const item of [partly, whole]) {
		expect(item?.fundingTransactionHash).toMatch(/^[0-9a-f]{64}$/);
		expect(item?.fundingTransactionHash).not.toBe(item?.transactionHash);
	}
	// The bandwidth of an account that does not exist yet is unknown, so its top-up also pays for the bytes of its transfer.
	const bytes = 345_000;
	expect(
		Math.abs(toSun(whole?.fundingAmount) - toSun(partly?.fundingAmount) - 500_000 - bytes),
	).toBeLessThanOrEqual(2000);
	const creation = 1_100_000;
	expect(paidBefore - (await scene.coins(PAYER))).toBe(
		BigInt(toSun(whole?.fundingAmount) + toSun(partly?.fundingAmount) + creation),
	);
	expect(hints).toEqual(
		expect.arrayContaining([expect.stringMatching(/^The chain takes a fee for each receiver/)]),
	);
	// The address has burnt its fee for energy. The top-up contained a reserve of a tenth of the energy, which is left.
	for (const item of items) {
		const { receipt } = await scene.info(item.transactionHash);
		expect(receipt).toMatchObject({ result: 'SUCCESS', energy_fee: toSun(item.fee) });
	}
	const left = Number(await scene.coins(base58(half)));
	expect(left).toBe(toSun(partly?.fundingAmount) + 500_000 - toSun(partly?.fee));
	expect(left).toBeLessThan(toSun(partly?.fee) / 5);
});

test('energy that the address was lent is used, and nothing is topped up', async () => {
	const token = await deployWitnessToken(sandbox);
	const [index = 0] = take(1);
	await token.give(index, 5n);
	await scene.giveCoins(index, 1);
	await scene.lendEnergy(index, 2_000 * COIN);
	const before = await scene.sent(PAYER);
	const [item] = await swept(
		{ indexes: index, token: token.address },
		{ deposits: { tokens: token.address } },
	);
	expect(item).toMatchObject({ status: 'confirmed', fundingTransactionHash: null, fee: '0' });
	expect(await scene.sent(PAYER)).toBe(before);
	expect(await scene.coins(base58(index))).toBe(1n);
});

test('run again, nothing moves; new tokens use the coins that are there', async () => {
	const token = await deployWitnessToken(sandbox);
	const [index = 0] = take(1);
	const run = async () =>
		await swept({ indexes: index, token: token.address }, { deposits: { tokens: token.address } });
	await scene.giveCoins(index, 60 * COIN);
	await token.give(index, 5n);
	const first = await run();
	expect(first).toHaveLength(1);
	expect(await run()).toEqual([]);
	// A payment of the same amount in the same minute must be a new payment.
	await token.give(index, 5n);
	const again = await run();
	expect(again).toMatchObject([{ status: 'confirmed', value: '5', fundingTransactionHash: null }]);
	expect(again[0]?.transactionHash).not.toBe(first[0]?.transactionHash);
	expect(await token.of(DESTINATION)).toBe(10n);
	expect(await token.of(deposit(index))).toBe(0n);
});

test.each([
	[
		'Frozen',
		/^The transaction would fail: the token returns false, .*\. Nothing was sent for it\.$/,
	],
	['Constant', /Nothing was sent for it\.$/],
])('tokens that would not move (%s) are failed, and the others go on', async (kind, reason) => {
	const token = await deployWitnessToken(sandbox, kind === 'Frozen' ? 'OddTokens' : 'Tokens', kind);
	const [index = 0] = take(1);
	if (kind === 'Frozen') await token.give(index, 100_000_000n);
	const [item] = await swept(
		{ indexes: index, token: token.address },
		{ deposits: { tokens: token.address } },
	);
	expect(item).toMatchObject({
		status: 'failed',
		depositIndex: index,
		transactionHash: null,
		signedTransaction: null,
		fundingTransactionHash: null,
		reason: expect.stringMatching(reason),
	});
	expect(await scene.sent(PAYER)).toBe(0);
});

test('a token that returns false and moves is swept', async () => {
	const token = await deployWitnessToken(sandbox, 'OddTokens', 'Silent');
	const [index = 0] = take(1);
	await token.give(index, 7n);
	const [item] = await swept(
		{ indexes: index, token: token.address },
		{ deposits: { tokens: token.address } },
	);
	expect(item).toMatchObject({ status: 'confirmed', value: '7' });
	expect(await token.of(DESTINATION)).toBe(7n);
});

test.each([
	[
		{ indexes: '0', token: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
		{},
		/^The rule Tokens forbids it/,
	],
	[
		{ indexes: '0', token: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
		{},
		/'Token' is an address for the chain EVM/,
	],
	[{ indexes: '0' }, { witnessDestination: '' }, /^The rule Witness Destination forbids it/],
])('%j with %j is refused', async (parameters, deposits, message) => {
	const { error, items } = await scene.run(parameters, { deposits });
	expect(error?.message).toMatch(message);
	expect(items).toEqual([]);
});

test.each<[string, Sweep, RegExp]>([
	[
		'more than Witness Max Fee',
		{ deposits: { witnessMaxFee: '1' } },
		/^The rule Witness Max Fee forbids it/,
	],
	[
		'a top-up that the key may not sign',
		{ rules: { witnessKinds: ['vote'] } },
		/^The rule Witness Kinds forbids it/,
	],
	[
		'a top-up where transactions are counted by day',
		{ rules: { dailyTransactions: '5', firstNonce: '0', firstDay: '2026-11-29' } },
		/The sweep needs 2 top-ups, and today the rules allow 0 of them$/,
	],
])('nothing is signed for %s', async (_name, more, message) => {
	const token = await deployWitnessToken(sandbox);
	const indexes = take(2);
	for (const index of indexes) await token.give(index, 5n);
	const deposits = { tokens: token.address, ...more.deposits };
	const { error } = await scene.run({ indexes, token: token.address }, { ...more, deposits });
	expect(error?.message).toMatch(message);
	expect(await scene.sent(PAYER)).toBe(0);
});

test('two at once top up and move once', async () => {
	const token = await deployWitnessToken(sandbox);
	const indexes = take(2);
	for (const index of indexes) await token.give(index, 7n);
	const run = async () =>
		await swept({ indexes, token: token.address }, { deposits: { tokens: token.address } });
	const items = (await Promise.all([run(), run()])).flat();
	expect(items.map(({ status }) => status)).toEqual(['confirmed', 'confirmed']);
	expect(await token.of(DESTINATION)).toBe(14n);
	expect(await scene.sent(PAYER)).toBe(2);
	for (const index of indexes) expect(await scene.sent(base58(index))).toBe(1);
});

describe('while no block comes', () => {
	const wait = async () => await scene.configure({ blockTime: 600_000 });
	const mine = async (blocks = 1) => await sandbox.control('POST', '/wallet/mine', { blocks });

	test('a run that ends between top-up and sweep is gone on with, and nothing is topped up again', async () => {
		const token = await deployWitnessToken(sandbox);
		const [index = 0] = take(1);
		await token.give(index, 9n);
		await scene.pass();
		await wait();
		const run = async (waitFor: number) =>
			await swept(
				{ indexes: index, token: token.address, waitFor },
				{ deposits: { tokens: token.address } },
			);
		const [first] = await run(0);
		expect(first).toMatchObject({
			status: 'unknown',
			transactionHash: null,
			signedTransaction: expect.stringMatching(/TransferContract/),
			fundingTransactionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
			fundingAmount: expect.stringMatching(/^\d+\.\d+$/),
		});
		await mine(25);
		await scene.configure();
		const [third] = await run(60);
		expect(third).toMatchObject({ status: 'confirmed', value: '9', fundingTransactionHash: null });
		expect(await scene.sent(PAYER)).toBe(1);
		expect(await token.of(DESTINATION)).toBe(9n);
	});

	test('a transfer that cannot be signed once its top-up is there is not swept yet', async () => {
		const token = await deployWitnessToken(sandbox);
		const [index = 0] = take(1);
		await token.give(index, 9n);
		await scene.pass();
		await wait();
		const run = async () =>
			await swept(
				{ indexes: index, token: token.address, waitFor: 60 },
				{ deposits: { tokens: token.address } },
			);
		const running = run();
		await waitUntil(async () =>
			(await sandbox.record()).some(({ path }) => path.endsWith('/broadcasttransaction')),
		);
		await sandbox.fault({
			path: '^/wallet/triggerconstantcontract$',
			times: -1,
			do: { status: 400, body: { Error: 'no' } },
		});
		await mine(25);
		await scene.configure();
		const [first] = await running;
		expect(first).toMatchObject({
			status: 'unknown',
			signedTransaction: null,
			transactionHash: null,
			fundingTransactionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
			reason: expect.stringMatching(/^It could not be signed: /),
			summary: expect.stringMatching(/^Not swept yet: .* It could not be signed: .* later\.$/),
		});
		expect(await scene.sent(base58(index))).toBe(0);
		await sandbox.control('DELETE', '/faults');
		expect(await run()).toMatchObject([{ status: 'confirmed', fundingTransactionHash: null }]);
		expect(await scene.sent(PAYER)).toBe(1);
		expect(await token.of(DESTINATION)).toBe(9n);
	});

	test('nothing is topped up while a transaction of the key is under way', async () => {
		const token = await deployWitnessToken(sandbox);
		const [index = 0] = take(1);
		await token.give(index, 9n);
		await wait();
		await scene.payCoins(900, COIN);
		const [item] = await swept(
			{ indexes: index, token: token.address, waitFor: 0 },
			{ deposits: { tokens: token.address } },
		);
		expect(item).toMatchObject({
			status: 'unknown',
			signedTransaction: null,
			reason: expect.stringMatching(/^A transaction of the key's account is not in a block yet/),
		});
		expect(await scene.sent(PAYER)).toBe(1);
	});

	test('an address whose sweep is under way is not signed for again', async () => {
		await scene.giveCoins(0, 5 * COIN);
		await scene.pass();
		await wait();
		const [first] = await swept({ indexes: 0, waitFor: 0 });
		expect(first).toMatchObject({ status: 'unknown', signedTransaction: expect.any(String) });
		await scene.giveCoins(0, 5 * COIN);
		const [second] = await swept({ indexes: 0, waitFor: 0 });
		expect(second).toMatchObject({
			status: 'unknown',
			signedTransaction: null,
			reason: expect.stringMatching(/^A transaction of the address is not in a block yet/),
		});
		expect(await scene.sent(base58(0))).toBe(1);
	});
});

test('addresses that wait at the same time are asked for at the same time', async () => {
	const indexes = take(8);
	for (const index of indexes) await scene.giveCoins(index, 5 * COIN);
	await sandbox.reset();
	const items = await swept({ indexes });
	const asked = (await sandbox.record()).filter(({ path }) => path.includes('gettransactioninfo'));
	const firsts = items.map(({ transactionHash }) => {
		const of = asked.filter(({ body }) => JSON.stringify(body).includes(String(transactionHash)));
		return of[0]?.at ?? NaN;
	});
	expect(firsts).toHaveLength(8);
	// Eight requests one after another, with a second between them, would take at least seven seconds.
	expect(Math.max(...firsts) - Math.min(...firsts)).toBeLessThan(7_000);
});
