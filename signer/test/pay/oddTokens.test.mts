import { utils } from 'tronweb';
import { takeRows } from '../../../test/harness/caseCount.mts';
import { deployContract } from '../../../test/harness/contract.mts';
import { runNode } from '../../../test/harness/engine.mts';
import { createSandbox, TEST_ADDRESS } from '../../../test/harness/sandbox.mts';
import { Stark } from '../../../nodes/Stark/Stark.node';
import { FRIEND } from '../support/accounts.mts';
import { paid, runPay } from './payNode.mts';
import { buildScene } from './scenes.mts';

const sandbox = createSandbox({ chain: true });

const toBase58 = (evm: string) => String(utils.address.fromHex(`41${evm.slice(2)}`));

/** How each family writes an address. The test chain serves both families. */
const FAMILIES = [
	['evm', (address: string) => address],
	['witness', toBase58],
] as const;

/** Deploys an unusual token and gives 100 of it to the payer. Returns a function that reads the receiver's balance from the chain. */
async function deployOdd(name: string) {
	const { address, owner, data } = await deployContract(sandbox, name, { file: 'OddTokens' });
	const give = data('give(address,uint256)', BigInt(TEST_ADDRESS), 100_000_000n);
	await sandbox.mined({ from: owner, to: address, data: give });
	const call = { to: address, data: data('balanceOf(address)', BigInt(FRIEND)) };
	const readHeld = async () => BigInt(String(await sandbox.chain('eth_call', call, 'latest')));
	return { address, readHeld };
}

beforeEach(async () => {
	await sandbox.control('PUT', '/wallet', { blockTime: 20 });
});

const rules = { witnessKinds: ['transfer', 'contractCall'] };

/** For each unusual token: how much the receiver gets, and what the item of a payment must say. */
const ODD_TOKENS = [
	{
		name: 'Pretending',
		said: 'that are refused without a revert have failed',
		got: 0n,
		status: 'failed',
		reason: /^It is on the chain, and by its own logs the token moved nothing from the payer/,
	},
	{
		name: 'Keeping',
		said: 'of which nothing arrives have failed',
		got: 0n,
		status: 'failed',
		reason: /nothing arrived: the token took 50 from the payer, and by its own logs none/,
	},
	{
		name: 'Sharing',
		said: 'of which a share is kept are confirmed, with what arrived',
		got: 45_000_000n,
		status: 'confirmed',
		reason: /^Of 50, 45 arrived, by the token's own logs\.$/,
	},
	{
		name: 'Detour',
		said: 'that go by way of another account are confirmed',
		got: 50_000_000n,
		status: 'confirmed',
		reason: null,
	},
	{
		name: 'Unindexed',
		said: 'whose events have nothing indexed are confirmed',
		got: 50_000_000n,
		status: 'confirmed',
		reason: null,
	},
] as const;

describe.each(FAMILIES)('on %s', (chain, format) => {
	test.each(takeRows(ODD_TOKENS, 2))('tokens $said', async ({ name, got, status, reason }) => {
		const { address, readHeld } = await deployOdd(name);
		const asked = { chain, token: format(address), to: format(FRIEND), amount: '50', waitFor: 20 };
		const options = { guard: 0 };
		const [payment] = await paid(sandbox, { operation: 'pay', ...asked, options }, { rules });
		const { signedTransaction } = payment ?? {};
		const finishing = { operation: 'finish', chain, signedTransaction: String(signedTransaction) };
		const [finished] = await paid(sandbox, finishing);
		const said = { status, reason: reason && expect.stringMatching(reason) };
		expect([payment, finished]).toMatchObject([said, said]);
		expect(payment?.transactionHash).toBe(finished?.transactionHash);
		expect(await readHeld()).toBe(got);
	});

	test('a payment of tokens whose events have nothing indexed is seen by Guard, and by its ID', async () => {
		// Guard reads 400 blocks on TRON. With the block time of the other tests, they would cover only 8 seconds.
		await sandbox.control('PUT', '/wallet', { blockTime: 100 });
		const { address, readHeld } = await deployOdd('Unindexed');
		const asked = { chain, token: format(address), to: format(FRIEND), amount: '50', waitFor: 20 };
		const pay = async (more: object) =>
			await runPay(sandbox, { operation: 'pay', ...asked, ...more }, { rules });
		const invoice = { paymentId: 'invoice 1', options: { guard: 0 } };
		const [first, again] = [await pay(invoice), await pay(invoice)];
		const { status, transactionHash } = first.items[0]?.json ?? {};
		expect(status).toBe('confirmed');
		expect(again.items[0]?.json).toMatchObject({ status, transactionHash });
		const { error } = await pay({});
		expect(error?.message).toMatch(/^The same payment was made/);
		expect(await readHeld()).toBe(50_000_000n);
	});

	test('of two payments of 60 from 100, the second is not prepared', async () => {
		const { address, readHeld } = await deployOdd('Refusing');
		const asked = { chain, token: format(address), to: format(FRIEND), amount: '60', waitFor: 20 };
		const { items } = await runPay(
			sandbox,
			{ operation: 'pay', ...asked, options: { guard: 0 } },
			{ rules, items: [{}, {}], onError: 'continueRegularOutput' },
		);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ status: 'confirmed' },
			{ error: 'The tokens do not suffice: 120 are needed, 100 are there' },
		]);
		expect(await readHeld()).toBe(60_000_000n);
	});
});

test('on stark, the tokens of two payments are counted together', async () => {
	const { token, to, from } = await buildScene(sandbox, 'stark');
	const { items: held } = await runNode({
		node: new Stark(),
		parameters: {
			resource: 'token',
			operation: 'getBalance',
			token: token?.address ?? '',
			owner: from,
		},
		credentials: sandbox.credentials.token,
	});
	const whole = Number(held[0]?.json.amount);
	expect(whole).toBeGreaterThan(1);
	const amount = String(Math.ceil(whole * 0.6));
	const asked = { chain: 'stark', token: token?.address ?? '', to, amount, options: { guard: 0 } };
	const { items } = await runPay(
		sandbox,
		{ operation: 'preview', ...asked },
		{ items: [{}, {}], onError: 'continueRegularOutput' },
	);
	expect(items.map(({ json }) => json)).toMatchObject([
		{ allowed: true },
		{ error: expect.stringMatching(/^The tokens do not suffice: \d+ are needed/) },
	]);
});
