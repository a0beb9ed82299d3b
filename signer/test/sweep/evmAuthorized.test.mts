import { decodeFunctionData, parseTransaction, verifyTypedData, parseAbi, type Hex } from 'viem';
import { AUTHORIZATION_TYPES } from '../../../test/harness/authorizations.mts';
import { deployDollar, secondsFromNow, type Dollar } from '../../../test/harness/dollars.mts';
import { createSandbox, TEST_ADDRESS } from '../../../test/harness/sandbox.mts';
import { paid } from '../pay/payNode.mts';
import { deposit, DESTINATION, readChain, runSweep, swept, type Sweep } from './sweepNode.mts';

/**
 * Tests of sweeps by authorizations (EIP-3009), for which addresses need no coins. Balances are read from the chain, and viem verifies the
 * signatures.
 */

const sandbox = createSandbox({ chain: true });
const chain = readChain(sandbox);

let used = 0;
/** Returns indexes of addresses that no earlier test has used, because the chain keeps their balances. */
const take = (count: number) => Array.from({ length: count }, () => used++);

async function fund(count: number, kind = 'Dollar') {
	const dollar = await deployDollar(sandbox, kind);
	const indexes = take(count);
	for (const index of indexes) await dollar.give(deposit(index), BigInt(1_000_000 + index));
	return { dollar, indexes };
}

const terms = ({ address }: Dollar, more: Sweep = {}): Sweep => ({
	...more,
	deposits: { tokens: address },
});

const sweep = async (dollar: Dollar, parameters: object, more?: Sweep) =>
	await swept(sandbox, { token: dollar.address, ...parameters }, terms(dollar, more));

const readArrived = async (dollar: Dollar) => await dollar.readBalance(DESTINATION);

const abi = parseAbi([
	'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);

/** Decodes the authorization in the data of a call with viem. */
function readAuthorization(data: Hex) {
	const { args } = decodeFunctionData({ abi, data });
	const [from, to, value, validAfter, validBefore, nonce, v, r, s] = args;
	const message = { from, to, value, validAfter, validBefore, nonce };
	return { message, signature: { v: BigInt(v), r, s } };
}

const readSent = async (hash: unknown) =>
	(await sandbox.chain('eth_getTransactionByHash', hash)) as { from: string; input: Hex };

test("the key's account carries them out, and no address gets a coin", async () => {
	const { dollar, indexes } = await fund(3);
	const sent = await chain.sent(TEST_ADDRESS);
	const items = await sweep(dollar, { indexes });
	expect(items).toEqual(
		indexes.map((index) =>
			expect.objectContaining({
				status: 'confirmed',
				depositIndex: index,
				from: expect.stringMatching(new RegExp(deposit(index), 'i')),
				to: DESTINATION,
				token: dollar.address,
				value: String(1_000_000 + index),
				fundingTransactionHash: null,
				fundingAmount: null,
				reason: null,
			}),
		),
	);
	expect(await readArrived(dollar)).toBe(
		indexes.reduce((sum, index) => sum + BigInt(1_000_000 + index), 0n),
	);
	for (const index of indexes) {
		expect(await chain.coins(deposit(index))).toBe(0n);
		expect(await chain.sent(deposit(index))).toBe(0n);
	}
	expect((await chain.sent(TEST_ADDRESS)) - sent).toBe(3n);
	for (const { transactionHash } of items) {
		const { from, input } = await readSent(transactionHash);
		expect(from).toMatch(new RegExp(TEST_ADDRESS, 'i'));
		const { message, signature } = readAuthorization(input);
		const isOwn = await verifyTypedData({
			address: message.from,
			domain: dollar.domain,
			types: AUTHORIZATION_TYPES,
			primaryType: 'TransferWithAuthorization',
			message,
			signature,
		});
		expect(isOwn).toBe(true);
		expect(message.to).toBe(DESTINATION);
		expect(message.validBefore).toBeLessThanOrEqual(secondsFromNow(3600));
	}
	expect(await sweep(dollar, { indexes })).toEqual([]);
});

test('what comes later is swept by later nonces, each once', async () => {
	const { dollar, indexes } = await fund(1);
	const [index = 0] = indexes;
	const nonces = new Set<string>();
	for (const amount of [5n, 6n, 7n, 8n]) {
		const [item] = await sweep(dollar, { indexes });
		const { message } = readAuthorization((await readSent(item?.transactionHash)).input);
		nonces.add(message.nonce);
		expect(await dollar.readBalance(deposit(index))).toBe(0n);
		await dollar.give(deposit(index), amount);
	}
	expect(nonces.size).toBe(4);
});

test.each([
	['UnversionedDollar', true],
	['RenamedDollar', true],
	['StrangeDollar', false],
] as const)('%s is signed for as it says: %s, else topped up', async (kind, isAuthorized) => {
	const { dollar, indexes } = await fund(1, kind);
	const [item] = await sweep(dollar, { indexes });
	expect(item).toMatchObject({
		status: 'confirmed',
		fundingAmount: isAuthorized ? null : expect.stringMatching(/^0\.0/),
	});
	expect(await readArrived(dollar)).toBe(BigInt(item?.value as string));
});

describe('the rules of the key that pays', () => {
	const NAMED =
		'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)';
	/**
	 * Rules by which the payer may send no coins and no tokens, and may pay only itself. A sweep by authorization still
	 * works, because it moves the funds of the deposit address.
	 */
	const strict = { maxAmount: '0', recipients: TEST_ADDRESS, tokenLimits: '' };

	test('need Contracts to name the function alone', async () => {
		const { dollar, indexes } = await fund(1);
		const rules = { ...strict, contracts: `${dollar.address} ${NAMED}` };
		const [item] = await sweep(dollar, { indexes }, { rules });
		expect(item).toMatchObject({ status: 'confirmed', fundingAmount: null });
	});

	test('that do not name it leave topping up, and a hint says so', async () => {
		const { dollar, indexes } = await fund(1);
		const { items, hints } = await runSweep(
			sandbox,
			{ token: dollar.address, indexes },
			terms(dollar, { rules: { contracts: '' } }),
		);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ status: 'confirmed', fundingAmount: expect.stringMatching(/^0\.0/) },
		]);
		expect(hints).toContainEqual(
			"Addresses were topped up, because the key's Contracts lack transferWithAuthorization of the token.",
		);
		expect(await readArrived(dollar)).toBe(BigInt(String(items[0]?.json.value)));
	});

	test.each([
		[
			'fewer than are needed',
			{ dailyTransactions: '2' },
			/needs 3 authorizations, and today the rules allow 2 of them$/,
		],
		['a lower fee', { maxFee: '0.000000001' }, /^The rule Max Fee forbids it/],
	])('that allow %s refuse all before anything is signed', async (_, more, message) => {
		const { dollar, indexes } = await fund(3);
		const sent = await chain.sent(TEST_ADDRESS);
		const firstDay = new Date().toISOString().slice(0, 10);
		const rules = {
			...more,
			...('dailyTransactions' in more && { firstNonce: String(sent), firstDay }),
		};
		const { error, items } = await runSweep(
			sandbox,
			{ token: dollar.address, indexes },
			terms(dollar, { rules }),
		);
		expect([items, error?.message]).toEqual([[], expect.stringMatching(message)]);
		expect(await chain.sent(TEST_ADDRESS)).toBe(sent);
		expect(await readArrived(dollar)).toBe(0n);
		const asked = JSON.stringify(await sandbox.record());
		const drafted = dollar.data('balanceOf(address)', BigInt(deposit(indexes[0] ?? 0)));
		expect(asked).toContain(drafted);
		expect(asked).not.toContain('0xe3ee160e');
	});
});

test('an address whose authorization the token refuses is topped up, and the others are not', async () => {
	const { dollar, indexes } = await fund(2);
	const [plain = 0, delegated = 0] = indexes;
	// The account delegates to a contract (EIP-7702) that accepts coins and validates no signatures.
	const contract = 'c0ffee'.padStart(40, '0');
	await sandbox.chain('anvil_setCode', `0x${contract}`, '0x00');
	await sandbox.chain('anvil_setCode', deposit(delegated), `0xef0100${contract}`);
	const items = await sweep(dollar, { indexes });
	expect(items).toMatchObject([
		{ status: 'confirmed', depositIndex: plain, fundingAmount: null },
		{ status: 'confirmed', depositIndex: delegated, fundingAmount: expect.stringMatching(/^0\.0/) },
	]);
	expect(await readArrived(dollar)).toBe(BigInt(2_000_000 + plain + delegated));
});

test('two at once move each amount once', async () => {
	const { dollar, indexes } = await fund(3);
	const sent = await chain.sent(TEST_ADDRESS);
	const run = async () => await sweep(dollar, { indexes });
	const items = (await Promise.all([run(), run()])).flat();
	expect(items.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed']);
	expect((await chain.sent(TEST_ADDRESS)) - sent).toBe(3n);
});

describe('while blocks wait', () => {
	const pause = async () => void (await sandbox.chain('evm_setAutomine', false));
	const mine = async () => void (await sandbox.chain('evm_mine'));
	afterEach(async () => {
		await sandbox.chain('evm_setAutomine', true);
		await mine();
	});

	/** Sends a call that stays pending until the next block. Its gas and price are enough for each call of these tests. */
	const send = async (from: string, to: string, data: string | undefined) => {
		const fees = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x174876e800' };
		const transaction = { from, to, data, gas: '0x30d40', ...fees };
		return await sandbox.chain('eth_sendTransaction', transaction);
	};

	const finish = async (signedTransaction: unknown) => {
		const given = {
			operation: 'finish',
			chain: 'evm',
			signedTransaction: String(signedTransaction),
		};
		return (await paid(sandbox, given))[0];
	};

	test('a run that ends before its block is gone on with by Finish, and nothing moves twice', async () => {
		const { dollar, indexes } = await fund(1);
		await pause();
		const [first] = await sweep(dollar, { indexes, waitFor: 0 });
		expect(first).toMatchObject({
			status: 'unknown',
			signedTransaction: expect.stringMatching(/^0x02/),
			summary: expect.stringMatching(/^Perhaps swept: /),
		});
		const [second] = await sweep(dollar, { indexes, waitFor: 0 });
		expect(second).toMatchObject({
			status: 'unknown',
			signedTransaction: null,
			reason: expect.stringMatching(/^A transaction of the key's account is not in a block yet/),
		});
		await mine();
		expect(await finish(first?.signedTransaction)).toMatchObject({
			status: 'confirmed',
			transactionHash: first?.transactionHash,
			from: first?.from,
			to: DESTINATION,
			value: first?.value,
			depositIndex: null,
		});
		expect(await sweep(dollar, { indexes })).toEqual([]);
		expect(await readArrived(dollar)).toBe(BigInt(String(first?.value)));
	});

	test('one that a stranger carries out first is confirmed by that transaction', async () => {
		const { dollar, indexes } = await fund(1);
		await pause();
		const [first] = await sweep(dollar, { indexes, waitFor: 0 });
		const { data } = parseTransaction(first?.signedTransaction as Hex);
		const stranger = await send(dollar.owner, dollar.address, data);
		await mine();
		const receipt = await sandbox.chain('eth_getTransactionReceipt', first?.transactionHash);
		expect(receipt).toMatchObject({ status: '0x0' });
		expect(await finish(first?.signedTransaction)).toMatchObject({
			status: 'confirmed',
			transactionHash: stranger,
			value: first?.value,
			reason: null,
		});
		expect(await readArrived(dollar)).toBe(BigInt(String(first?.value)));
	});

	test('one whose tokens went elsewhere meanwhile has failed', async () => {
		const { dollar, indexes } = await fund(1);
		const [index = 0] = indexes;
		await pause();
		const [first] = await sweep(dollar, { indexes, waitFor: 0 });
		await sandbox.chain('anvil_impersonateAccount', deposit(index));
		await chain.giveCoins(index, 10n ** 18n);
		const data = dollar.data(
			'transfer(address,uint256)',
			BigInt(DESTINATION),
			BigInt(String(first?.value)),
		);
		await send(deposit(index), dollar.address, data);
		await mine();
		expect(await finish(first?.signedTransaction)).toMatchObject({
			status: 'failed',
			transactionHash: first?.transactionHash,
			reason: expect.stringContaining('transfer amount exceeds balance'),
		});
	});
});
