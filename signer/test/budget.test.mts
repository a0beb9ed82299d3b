import { CredentialTestContext } from 'n8n-core';
import { parseEther } from 'viem';
import { TRIES_ALL } from '../../test/harness/caseCount.mts';
import { createSandbox, TEST_ADDRESS } from '../../test/harness/sandbox.mts';
import { credentialTest } from '../nodes/core/editor';
import { setClock } from './support/clock.mts';
import { FRIEND, KEY, signTransaction, signWith, STRANGER } from './support/signerNode.mts';

const ATTEMPTS = TRIES_ALL ? 1000 : 300;
const WORKERS = 10;

/** A transaction that uses all of its gas at this price, so its fee is the highest that the rules allow. */
const GAS = 21_000n;
const GAS_PRICE = 10n ** 12n;
const AMOUNT = parseEther('0.1');

const sandbox = createSandbox({ chain: true });
afterEach(() => jest.restoreAllMocks());

const read = async (method: string) =>
	BigInt(String(await sandbox.chain(method, TEST_ADDRESS, 'latest')));
const countSent = async () => await read('eth_getTransactionCount');

const rulesFrom = (firstNonce: bigint) => ({
	chainIds: '31337',
	maxAmount: '0.1',
	maxFee: '0.021',
	dailyTransactions: '20',
	firstNonce: String(firstNonce),
	firstDay: '2026-11-24',
});

/** Returns the highest loss of a day that the test of the credential states. */
async function getSaidLoss(rules: object): Promise<bigint> {
	const data = { privateKey: KEY, ...rules };
	const test = credentialTest.signerKey.bind(new CredentialTestContext());
	const { message } = await test({ id: '1', name: 'test', type: 'chainSignerKeyApi', data });
	const [, coins = ''] =
		/spend (\S+) coins a day on chain 31337: each of 20 transactions sends at most 0\.1 and costs a fee of at most 0\.021\./.exec(
			message,
		)!;
	return parseEther(coins);
}

/** Requests the highest allowed payment with each of the nonces, and returns the items of all requests. */
async function attack(rules: object, nonces: readonly bigint[], to: string) {
	const items = nonces.map((nonce) => {
		const payment = { chainId: 31337, to, value: String(AMOUNT) };
		const gas = { gas: String(GAS), gasPrice: String(GAS_PRICE) };
		return { json: { transaction: { ...payment, ...gas, nonce: String(nonce) } } };
	});
	const parameters = { ...signTransaction({}), transaction: '={{ $json.transaction }}' };
	const onError = 'continueRegularOutput' as const;
	const run = await signWith(parameters, { rules: rules as never, items, onError });
	expect(run.items).toHaveLength(nonces.length);
	return run.items.map(({ json }) => json);
}

/** Sends all signed transactions. The chain accepts each nonce only once. */
async function sendAll(results: ReadonlyArray<Record<string, unknown>>, until: bigint) {
	for (const { signedTransaction } of results) {
		if (signedTransaction === undefined) continue;
		await sandbox.chain('eth_sendRawTransaction', signedTransaction).catch(() => undefined);
	}
	await sandbox.chain('evm_mine');
	while ((await countSent()) < until) await sandbox.chain('evm_mine');
}

const listNonces = (first: bigint, count: number) =>
	Array.from({ length: count }, (_, at) => first + BigInt(at));

test(`of ${ATTEMPTS} payments in a loop, a day loses what the sentence says, to the wei`, async () => {
	const first = await countSent();
	const rules = rulesFrom(first);
	const nonces = listNonces(first, ATTEMPTS);
	const ofLast = new Date('2026-11-24');
	ofLast.setUTCDate(ofLast.getUTCDate() + Math.floor((ATTEMPTS - 1) / 20));
	const lastDay = ofLast.toISOString().slice(0, 10);
	const said = await getSaidLoss(rules);
	expect(said).toBe(20n * (AMOUNT + GAS * GAS_PRICE));
	const before = await read('eth_getBalance');
	for (const [days, date] of ['24', '25', '27'].entries()) {
		setClock(`2026-11-${date}T23:59:00Z`);
		const results = await attack(rules, nonces, [FRIEND, STRANGER, FRIEND][days]!);
		const passed = BigInt(date) - 24n + 1n;
		await sendAll(results, first + 20n * passed);
		expect(before - (await read('eth_getBalance'))).toBe(passed * said);
		expect(await countSent()).toBe(first + 20n * passed);
		expect(results.filter(({ error }) => error === undefined)).toHaveLength(Number(20n * passed));
		expect(results.at(-1)?.error).toMatch(
			`the nonce ${nonces.at(-1)}, which is allowed from ${lastDay} (UTC)`,
		);
	}
});

test(`${WORKERS} workers at once lose no more than one`, async () => {
	setClock('2026-11-24T00:00:00Z');
	const first = await countSent();
	const rules = rulesFrom(first);
	const before = await read('eth_getBalance');
	const receivers = Array.from(
		{ length: WORKERS },
		(_, at) =>
			`0x${String(at + 1)
				.repeat(40)
				.slice(0, 40)}`,
	);
	const nonces = listNonces(first, ATTEMPTS / WORKERS);
	const results = await Promise.all(receivers.map(async (to) => await attack(rules, nonces, to)));
	await Promise.all(results.map(async (one) => await sendAll(one, first + 20n)));
	expect(results.flat().filter(({ error }) => error === undefined)).toHaveLength(20 * WORKERS);
	expect(before - (await read('eth_getBalance'))).toBe(await getSaidLoss(rules));
	expect(await countSent()).toBe(first + 20n);
});
