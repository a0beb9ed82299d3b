import { parseEther } from 'viem';
import { createSandbox, TEST_ADDRESS } from '../../../test/harness/sandbox.mts';
import { deployToken, deposit, DESTINATION, readChain, runSweep, swept } from './sweepNode.mts';

/** Tests of sweeps of coins and tokens on an EVM chain. Balances are read from the chain itself. */

const sandbox = createSandbox({ chain: true });
const chain = readChain(sandbox);

let used = 0;
/** Returns indexes of addresses that no earlier test has used, because the chain keeps their balances. */
const take = (count: number) => Array.from({ length: count }, () => used++);

const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n);
const feesOf = (items: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
	sum(items.map(({ fee }) => parseEther(String(fee))));

test('coins go to the destination, to the last unit but the fee', async () => {
	const indexes = take(3);
	const amounts = [parseEther('1'), parseEther('0.5') + 7n, parseEther('2')];
	for (const [at, index] of indexes.entries()) await chain.giveCoins(index, amounts[at] ?? 0n);
	const before = await chain.coins(DESTINATION);
	const items = await swept(sandbox, {
		indexes: `${indexes[0]}-${indexes[2]}`,
		paymentId: 'night',
	});
	expect(items).toEqual(
		indexes.map((index, at) =>
			expect.objectContaining({
				paymentId: 'night',
				chain: 'evm',
				status: 'confirmed',
				depositIndex: index,
				from: expect.stringMatching(new RegExp(deposit(index), 'i')),
				to: DESTINATION,
				token: null,
				symbol: null,
				decimals: 18,
				value: String((amounts[at] ?? 0n) - feesOf([items[at] ?? {}])),
				reason: null,
				transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
				fundingTransactionHash: null,
				fundingAmount: null,
			}),
		),
	);
	expect((await chain.coins(DESTINATION)) - before).toBe(sum(amounts) - feesOf(items));
	for (const index of indexes) expect(await chain.coins(deposit(index))).toBe(0n);
	expect(items[0]?.summary).toMatch(/^Swept 0\.99\d+ coins to 0x/);
});

test('what does not cover its fee gives no item, and is told', async () => {
	const [rich = 0, poor = 0, empty = 0] = take(3);
	await chain.giveCoins(rich, parseEther('1'));
	await chain.giveCoins(poor, 1_000n);
	const { items, hints } = await runSweep(sandbox, { indexes: [empty, poor, rich] });
	expect(items.map(({ json }) => json.depositIndex)).toEqual([rich]);
	expect(hints).toEqual(
		expect.arrayContaining([
			expect.stringMatching(/^1 address holds coins/),
			expect.stringMatching(/^Strangers can send dust/),
		]),
	);
	expect(await chain.coins(deposit(poor))).toBe(1_000n);
});

test('addresses below Min Amount are left alone', async () => {
	const [small = 0, large = 0] = take(2);
	await chain.giveCoins(small, parseEther('1'));
	await chain.giveCoins(large, parseEther('1') + 1n);
	const items = await swept(sandbox, {
		indexes: `${small},${large}`,
		options: { minAmount: '1.000000000000000001' },
	});
	expect(items.map(({ depositIndex }) => depositIndex)).toEqual([large]);
	expect(await chain.coins(deposit(small))).toBe(parseEther('1'));
});

test('tokens go to the destination, and the key tops up what the fee lacks', async () => {
	const token = await deployToken(sandbox);
	const indexes = take(4);
	const [bare = 0, half = 0, rich = 0, empty = 0] = indexes;
	for (const index of [bare, half, rich]) await token.give(index, BigInt(1_500_000 + index));
	await chain.giveCoins(half, 1_000_000_000_000n);
	await chain.giveCoins(rich, parseEther('1'));
	const paidBefore = await chain.coins(TEST_ADDRESS);
	const items = await swept(
		sandbox,
		{ indexes: [rich, empty, half, bare], token: token.address },
		{ deposits: { tokens: token.address } },
	);
	expect(
		items.map(({ depositIndex, status, value, amount, decimals }) => [
			depositIndex,
			status,
			value,
			amount,
			decimals,
		]),
	).toEqual(
		[rich, half, bare].map((index) => [
			index,
			'confirmed',
			String(1_500_000 + index),
			String((1_500_000 + index) / 1_000_000),
			6,
		]),
	);
	expect(await chain.tokens(token.address, DESTINATION)).toBe(
		BigInt(4_500_000 + rich + half + bare),
	);
	const [paysItself, partly, all] = items;
	expect(paysItself?.fundingTransactionHash).toBeNull();
	for (const item of [partly, all]) {
		expect(item?.fundingTransactionHash).toMatch(/^0x[0-9a-f]{64}$/);
		expect(item?.fundingTransactionHash).not.toBe(item?.transactionHash);
	}
	expect(parseEther(String(all?.fundingAmount)) - parseEther(String(partly?.fundingAmount))).toBe(
		1_000_000_000_000n,
	);
	expect(
		await Promise.all([all?.fundingTransactionHash, partly?.fundingTransactionHash].map(chain.gas)),
	).toEqual([21_000n, 21_000n]);
	expect(await chain.gas(paysItself?.transactionHash)).toBeGreaterThan(
		await chain.gas(all?.transactionHash),
	);
	expect(await chain.gas(all?.transactionHash)).toBeLessThan(31_000n);
	const given = sum([all, partly].map((item) => parseEther(String(item?.fundingAmount))));
	const cost = paidBefore - (await chain.coins(TEST_ADDRESS));
	expect(cost).toBeGreaterThan(given);
	expect(cost).toBeLessThan(given * 2n);
	expect(await chain.coins(deposit(bare))).toBeLessThan(parseEther(String(all?.fundingAmount)));
});

test('run again, nothing moves; new tokens use the coins that are there', async () => {
	const token = await deployToken(sandbox);
	const [index = 0] = take(1);
	const run = async () =>
		await swept(
			sandbox,
			{ indexes: index, token: token.address },
			{ deposits: { tokens: token.address } },
		);
	await token.give(index, 5n);
	expect(await run()).toHaveLength(1);
	const sent = await chain.sent(deposit(index));
	expect(await run()).toEqual([]);
	expect(await chain.sent(deposit(index))).toBe(sent);
	await token.give(index, 6n);
	const left = await chain.coins(deposit(index));
	const [again] = await run();
	expect(again).toMatchObject({ status: 'confirmed', value: '6' });
	expect(left).toBeGreaterThan(0n);
	expect(await chain.tokens(token.address, DESTINATION)).toBe(11n);
});

test('an index named twice in a run is swept once', async () => {
	const [index = 0] = take(1);
	await chain.giveCoins(index, parseEther('1'));
	const items = await swept(
		sandbox,
		{ indexes: '={{ $json.indexes }}' },
		{ items: [{ indexes: `${index}, ${index}` }, { indexes: String(index) }] },
	);
	expect(items.map(({ depositIndex }) => depositIndex)).toEqual([index]);
	expect(await chain.sent(deposit(index))).toBe(1n);
});

test('an address that an item leaves alone is left to those behind it', async () => {
	const [index = 0] = take(1);
	await chain.giveCoins(index, parseEther('1'));
	const items = await swept(
		sandbox,
		{ indexes: index, options: { minAmount: '={{ $json.least }}' } },
		{ items: [{ least: '5' }, { least: '0.1' }, { least: '0.1' }] },
	);
	expect(items).toMatchObject([{ status: 'confirmed', depositIndex: index }]);
	expect(await chain.coins(deposit(index))).toBe(0n);
	expect(await chain.sent(deposit(index))).toBe(1n);
});

test('an item that fails leaves its addresses to those behind it', async () => {
	const [index = 0] = take(1);
	await chain.giveCoins(index, parseEther('1'));
	const items = await swept(
		sandbox,
		{ indexes: index, options: { path: '={{ $json.path }}' } },
		{ items: [{ path: '/unserved' }, { path: '' }], onError: 'continueRegularOutput' },
	);
	expect(items).toMatchObject([{ error: expect.anything() }, { status: 'confirmed' }]);
	expect(await chain.coins(deposit(index))).toBe(0n);
});

test.each(['Frozen', 'Constant'])(
	'tokens that would not move (%s) are failed, and the others go on',
	async (kind) => {
		const token =
			kind === 'Constant'
				? await deployToken(sandbox, 'Tokens', 'Constant')
				: await deployToken(sandbox, 'OddTokens', kind);
		const [index = 0] = take(1);
		if (kind === 'Frozen') await token.give(index, 100_000_000n);
		const before = await chain.sent(TEST_ADDRESS);
		const [item] = await swept(
			sandbox,
			{ indexes: index, token: token.address },
			{ deposits: { tokens: token.address } },
		);
		expect(item).toMatchObject({
			status: 'failed',
			depositIndex: index,
			transactionHash: null,
			signedTransaction: null,
			fundingTransactionHash: null,
			reason: expect.stringMatching(/^The transaction would fail: .*\. Nothing was sent for it\.$/),
		});
		expect(await chain.sent(TEST_ADDRESS)).toBe(before);
	},
);

test.each([
	[{ indexes: ' ' }, {}, /^'Indexes' is required/],
	[{ indexes: '5-3' }, {}, /'Indexes' must be/],
	[{ indexes: '-1' }, {}, /'Indexes' must be/],
	[{ indexes: '1.5' }, {}, /'Indexes' must be/],
	[{ indexes: '0-1000' }, {}, /at most 1000 indexes/],
	[{ indexes: '2147483648' }, {}, /'Indexes' must be/],
	[
		{ indexes: '0', token: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
		{},
		/^The rule Tokens forbids it/,
	],
	[{ indexes: '0', token: 'T' }, {}, /'Token' must be/],
	[{ indexes: '0' }, { evmDestination: '' }, /^The rule EVM Destination forbids it/],
	[{ indexes: '0' }, { accountPrivateKey: 'xpub' }, /Account Private Key/],
])('%j with %j is refused', async (parameters, deposits, message) => {
	const { error, items } = await runSweep(sandbox, parameters, { deposits });
	expect(error?.message).toMatch(message);
	expect(items).toEqual([]);
});

test.each([
	['another chain', { deposits: { chainIds: '5' } }, /^The rule Chain IDs forbids it/],
	['a fee above Max Fee', { deposits: { maxFee: '0.0000001' } }, /^The rule Max Fee forbids it/],
] as const)('nothing is signed on %s', async (_name, more, message) => {
	const [index = 0] = take(1);
	await chain.giveCoins(index, parseEther('1'));
	const { error } = await runSweep(sandbox, { indexes: index }, more);
	expect(error?.message).toMatch(message);
	expect(await chain.coins(deposit(index))).toBe(parseEther('1'));
});

test('where the rules allow fewer top-ups than are needed, nothing is signed', async () => {
	const token = await deployToken(sandbox);
	const indexes = take(3);
	for (const index of indexes) await token.give(index, 5n);
	const sent = await chain.sent(TEST_ADDRESS);
	const today = new Date().toISOString().slice(0, 10);
	const budget = { dailyTransactions: '2', firstNonce: String(sent), firstDay: today };
	const { error } = await runSweep(
		sandbox,
		{ indexes, token: token.address },
		{ deposits: { tokens: token.address }, rules: budget },
	);
	expect(error?.message).toMatch(/needs 3 top-ups, and today the rules allow 2 of them$/);
	expect(await chain.sent(TEST_ADDRESS)).toBe(sent);
});

test('two at once top up and move once', async () => {
	const token = await deployToken(sandbox);
	const indexes = take(3);
	for (const index of indexes) await token.give(index, 7n);
	const sent = await chain.sent(TEST_ADDRESS);
	const run = async () =>
		await swept(
			sandbox,
			{ indexes, token: token.address },
			{ deposits: { tokens: token.address } },
		);
	const items = (await Promise.all([run(), run()])).flat();
	expect(items.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed']);
	expect(await chain.tokens(token.address, DESTINATION)).toBe(21n);
	expect((await chain.sent(TEST_ADDRESS)) - sent).toBe(3n);
});

describe('while blocks wait', () => {
	beforeEach(async () => void (await sandbox.chain('evm_setAutomine', false)));
	afterEach(async () => {
		await sandbox.chain('evm_setAutomine', true);
		await sandbox.chain('evm_mine');
	});

	test('a run that ends between top-up and sweep is gone on with, and nothing is topped up again', async () => {
		await sandbox.chain('evm_setAutomine', true);
		const token = await deployToken(sandbox);
		const [index = 0] = take(1);
		await token.give(index, 9n);
		await sandbox.chain('evm_setAutomine', false);
		const run = async (waitFor: number) =>
			await swept(
				sandbox,
				{ indexes: index, token: token.address, waitFor },
				{ deposits: { tokens: token.address } },
			);
		const [first] = await run(0);
		expect(first).toMatchObject({
			status: 'unknown',
			transactionHash: null,
			signedTransaction: expect.stringMatching(/^0x02/),
			fundingTransactionHash: expect.stringMatching(/^0x/),
			fundingAmount: expect.stringMatching(/^0\.0/),
			reason: expect.stringMatching(/^Its top-up is unknown: /),
			summary: expect.stringMatching(/^Not swept yet: .* run Finish with its signedTransaction/),
		});
		const [second] = await run(0);
		expect(second).toMatchObject({
			status: 'unknown',
			signedTransaction: null,
			reason: expect.stringMatching(/^A transaction of the key's account is not in a block yet/),
		});
		await sandbox.chain('evm_mine');
		const sent = await chain.sent(TEST_ADDRESS);
		await sandbox.chain('evm_setAutomine', true);
		const [third] = await run(60);
		expect(third).toMatchObject({ status: 'confirmed', value: '9', fundingTransactionHash: null });
		expect(await chain.sent(TEST_ADDRESS)).toBe(sent);
		expect(await chain.tokens(token.address, DESTINATION)).toBe(9n);
	});

	test('an address whose sweep is under way is not signed for again', async () => {
		const [index = 0] = take(1);
		await chain.giveCoins(index, parseEther('1'));
		const [first] = await swept(sandbox, { indexes: index, waitFor: 0 });
		expect(first).toMatchObject({ status: 'unknown', signedTransaction: expect.any(String) });
		const [second] = await swept(sandbox, { indexes: index, waitFor: 0 });
		expect(second).toMatchObject({
			status: 'unknown',
			signedTransaction: null,
			reason: expect.stringMatching(/^A transaction of the address is not in a block yet/),
		});
		await sandbox.chain('evm_mine');
		expect(await swept(sandbox, { indexes: index, waitFor: 0 })).toEqual([]);
		expect(await chain.coins(deposit(index))).toBe(0n);
	});
});
