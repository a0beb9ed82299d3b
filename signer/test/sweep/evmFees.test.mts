import { parseEther } from 'viem';
import { TRIES_ALL } from '../../../test/harness/caseCount.mts';
import { createSandbox, TEST_ADDRESS } from '../../../test/harness/sandbox.mts';
import { paid } from '../pay/payNode.mts';
import { deployToken, deposit, DESTINATION, readChain, runSweep, swept } from './sweepNode.mts';

/** Tests of what changes a fee: a rollup's data, code at the destination, and lost answers. */

const sandbox = createSandbox({ chain: true });
const chain = readChain(sandbox);

let used = 0;
const take = () => used++;

const setCode = async (address: string, code: string) =>
	void (await sandbox.chain('anvil_setCode', address, code));
const toWord = (value: bigint) => value.toString(16).padStart(64, '0');

describe.each([
	['a rollup like Optimism', '0x420000000000000000000000000000000000000F'],
	['Scroll', '0x5300000000000000000000000000000000000002'],
])('on %s', (_, oracle) => {
	/** Deploys code that always returns the given bytes. */
	const answerWith = async (hex: string) => {
		const size = (hex.length / 2).toString(16).padStart(2, '0');
		await setCode(oracle, `0x60${size}600c60003960${size}6000f3${hex}`);
	};
	afterEach(async () => await setCode(oracle, '0x'));

	test('twice the present fee of the data stays behind, and the rest arrives', async () => {
		const fee = 123_456_789_012_345n;
		await answerWith(toWord(fee));
		const index = take();
		await chain.giveCoins(index, parseEther('1'));
		const before = await chain.coins(DESTINATION);
		const [item] = await swept(sandbox, { indexes: index });
		expect(item).toMatchObject({ status: 'confirmed' });
		expect(await chain.coins(deposit(index))).toBe(2n * fee);
		expect((await chain.coins(DESTINATION)) - before).toBe(
			parseEther('1') - 2n * fee - parseEther(String(item?.fee)),
		);
	});

	test('an address whose tokens are swept is given twice the fee of the data, too', async () => {
		const fee = 123_456_789_012_345n;
		const token = await deployToken(sandbox);
		const [index, other] = [take(), take()];
		for (const one of [index, other]) await token.give(one, 5n);
		const sweepOne = async (indexes: number) =>
			await swept(
				sandbox,
				{ indexes, token: token.address },
				{ deposits: { tokens: token.address, maxFee: '1' } },
			);
		const [plain] = await sweepOne(other);
		await answerWith(toWord(fee));
		const [item] = await sweepOne(index);
		expect(item).toMatchObject({ status: 'confirmed', value: '5' });
		const given = parseEther(String(item?.fundingAmount));
		expect(given).toBeGreaterThan(2n * fee);
		expect(given - 2n * fee).toBeLessThan(parseEther(String(plain?.fundingAmount)) * 2n);
	});

	test('a fee above the coins leaves them alone', async () => {
		await answerWith(toWord(2n ** 200n));
		const index = take();
		await chain.giveCoins(index, parseEther('1'));
		const { items, error, hints } = await runSweep(sandbox, { indexes: index });
		expect([items, error]).toEqual([[], undefined]);
		expect(hints).toEqual([expect.stringMatching(/^1 address holds coins that do not cover/)]);
		expect(await chain.coins(deposit(index))).toBe(parseEther('1'));
	});

	test('an answer that is no number is no fee', async () => {
		await answerWith('fe');
		const index = take();
		await chain.giveCoins(index, parseEther('1'));
		expect(await swept(sandbox, { indexes: index })).toHaveLength(1);
		expect(await chain.coins(deposit(index))).toBe(0n);
	});
});

describe('a contract as destination', () => {
	const CONTRACT = '0xc0ffee0000000000000000000000000000c0ffee';
	const sweepTo = async (index: number) =>
		await swept(sandbox, { indexes: index }, { deposits: { evmDestination: CONTRACT } });

	test('gets coins with the gas that its code uses', async () => {
		// The contract counts in its storage how many payments it has received, which uses gas.
		await setCode(CONTRACT, '0x60005460010160005500');
		const index = take();
		await chain.giveCoins(index, parseEther('1'));
		const [item] = await sweepTo(index);
		expect(item).toMatchObject({ status: 'confirmed' });
		const received = await chain.coins(CONTRACT);
		expect(received).toBe(BigInt(String(item?.value)));
		expect(await chain.gas(item?.transactionHash)).toBeGreaterThan(40_000n);
		const left = await chain.coins(deposit(index));
		expect(received + left + parseEther(String(item?.fee))).toBe(parseEther('1'));
		// The reserved fee for gas that the code did not use stays at the address.
		expect(left).toBeLessThan(parseEther(String(item?.fee)));
	});

	test('that takes no coins fails the address, and nothing is sent', async () => {
		await setCode(CONTRACT, '0x60006000fd');
		const index = take();
		await chain.giveCoins(index, parseEther('1'));
		const [item] = await sweepTo(index);
		expect(item).toMatchObject({
			status: 'failed',
			transactionHash: null,
			signedTransaction: null,
			reason: expect.stringMatching(/ Nothing was sent for it\.$/),
		});
		expect(await chain.coins(deposit(index))).toBe(parseEther('1'));
		expect(await chain.sent(deposit(index))).toBe(0n);
	});
});

describe('the answer to a top-up is lost', () => {
	// The fault `before` is left out of short runs, because the transaction is sent again only after a while.
	test.each(TRIES_ALL ? ['before', 'after'] : ['after'])(
		'%s it was taken: all moves once',
		async (reset) => {
			const token = await deployToken(sandbox);
			const index = take();
			await token.give(index, 5n);
			const sent = await chain.sent(TEST_ADDRESS);
			await sandbox.fault({ sends: 'evm', do: { reset } });
			const [item] = await swept(
				sandbox,
				{ indexes: index, token: token.address },
				{ deposits: { tokens: token.address } },
			);
			expect(item).toMatchObject({ status: 'confirmed', value: '5' });
			expect((await chain.sent(TEST_ADDRESS)) - sent).toBe(1n);
			expect(await chain.sent(deposit(index))).toBe(1n);
			expect(await chain.tokens(token.address, DESTINATION)).toBe(5n);
		},
	);

	test('and nobody knows it: Finish ends it, and the next sweep moves the tokens', async () => {
		const token = await deployToken(sandbox);
		const index = take();
		await token.give(index, 5n);
		const sent = await chain.sent(TEST_ADDRESS);
		await sandbox.fault({ sends: 'evm', do: { status: 401, body: {} } });
		const run = async (waitFor: number) =>
			await swept(
				sandbox,
				{ indexes: index, token: token.address, waitFor },
				{ deposits: { tokens: token.address } },
			);
		const [first] = await run(0);
		expect(first).toMatchObject({ status: 'unknown', transactionHash: null });
		const { signedTransaction } = first ?? {};
		const [finished] = await paid(sandbox, {
			operation: 'finish',
			chain: 'evm',
			signedTransaction: String(signedTransaction),
		});
		expect(finished).toMatchObject({ status: 'confirmed', amount: first?.fundingAmount });
		const [second] = await run(60);
		expect(second).toMatchObject({ status: 'confirmed', value: '5', fundingAmount: null });
		expect((await chain.sent(TEST_ADDRESS)) - sent).toBe(1n);
		expect(await chain.tokens(token.address, DESTINATION)).toBe(5n);
	});
});
