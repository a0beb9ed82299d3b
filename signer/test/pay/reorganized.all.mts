import type { INodeParameters } from 'n8n-workflow';
import { parseEther } from 'viem';
import { numberToHex } from '../../../test/harness/evmChain.mts';
import { TEST_ADDRESS } from '../../../test/harness/sandbox.mts';
import { createSandboxChain } from '../../../test/harness/sandboxChain.mts';
import { readStarkInfo } from '../../../test/harness/starkChain.mts';
import { waitUntil } from '../../../test/harness/until.mts';
import { paid } from './payNode.mts';
import { buildScene, type PayScene } from './scenes.mts';

/** Tests in which a reorganization removes a payment, or another transaction in its place, from the chain while Finish waits. */

const { sandbox, account, mine, reorganize, calls } = createSandboxChain();
const CONFIRMATIONS = 3;
const options = { confirmations: CONFIRMATIONS, guard: 0 };

let scene: PayScene;
let before: bigint;
beforeEach(async () => {
	scene = await buildScene(sandbox, 'evm');
	before = await scene.readBalance();
});

const readPaid = async () => (await scene.readBalance()) - before;

/** Pays one wei, and returns when the payment is in a block. Finish waits for more confirmations. */
async function payIntoOneBlock() {
	const [payment = {}] = await paid(
		sandbox,
		{
			...{ operation: 'pay', chain: 'evm', to: scene.to, amount: '0.000000000000000001' },
			...{ waitFor: 0, options },
		},
		{ rules: scene.rules },
	);
	expect(payment).toMatchObject({ status: 'unknown', transactionHash: expect.any(String) });
	await waitUntil(async () => (await readPaid()) === 1n);
	return payment;
}

/** Starts Finish for a payment, and returns once it has asked the chain for the payment. */
async function beginFinish(payment: object) {
	const parameters: INodeParameters = {
		...{
			operation: 'finish',
			chain: 'evm',
			waitFor: 60,
			options: { confirmations: CONFIRMATIONS },
		},
		signedTransaction: '={{ $json.signedTransaction }}',
	};
	const already = await countAsked();
	const finished = paid(sandbox, parameters, { items: [payment as never] });
	await waitForLooks(2, already);
	return { finished: async () => (await finished)[0] };
}

const countAsked = async () =>
	(await calls()).filter(({ method }) => method === 'eth_getTransactionReceipt').length;

/** Waits until Finish has asked the chain `count` more times. Finish asks three times before it finds another transaction. */
async function waitForLooks(count: number, from: number) {
	await waitUntil(async () => (await countAsked()) >= from + count);
}

/** Builds a transaction of the payer that takes the payment's nonce. */
const buildRival = () => ({ from: TEST_ADDRESS, to: account(5), value: numberToHex(7) });

test('a payment that leaves the chain is sent again, and paid once', async () => {
	const payment = await payIntoOneBlock();
	const { finished } = await beginFinish(payment);
	await reorganize(1);
	await waitUntil(async () => (await readPaid()) === 1n);
	await mine(CONFIRMATIONS);
	expect(await finished()).toMatchObject({
		status: 'confirmed',
		transactionHash: payment.transactionHash,
	});
	expect(await readPaid()).toBe(1n);
});

test('a payment is failed only once another transaction in its place is deep enough', async () => {
	const payment = await payIntoOneBlock();
	const { finished } = await beginFinish(payment);
	await reorganize(1, buildRival());
	expect(await readPaid()).toBe(0n);
	await waitForLooks(5, await countAsked());
	await reorganize(1);
	await waitUntil(async () => (await readPaid()) === 1n);
	await mine(CONFIRMATIONS);
	expect(await finished()).toMatchObject({ status: 'confirmed' });
	expect(await readPaid()).toBe(1n);
});

test('a payment whose place another transaction keeps has failed', async () => {
	const payment = await payIntoOneBlock();
	const { finished } = await beginFinish(payment);
	await reorganize(1, buildRival());
	await waitForLooks(5, await countAsked());
	await mine(CONFIRMATIONS);
	expect(await finished()).toMatchObject({
		status: 'failed',
		reason: expect.stringMatching(/can never be carried out/),
	});
	expect(await readPaid()).toBe(0n);
});

describe('on STARK', () => {
	const rollup = async (path: string, body: object) =>
		await sandbox.control('POST', `/stark/${path}`, body);

	test('a payment that leaves the rollup before L1 has it is sent again, and paid once', async () => {
		const stark = await buildScene(sandbox, 'stark');
		const { rules, to, readBalance } = await stark.openOthers();
		const until = { until: 'acceptedOnL1', guard: 0 };
		const [payment = {}] = await paid(
			sandbox,
			{ operation: 'pay', chain: 'stark', to, amount: '0.5', waitFor: 0, options: until },
			{ rules },
		);
		expect(payment).toMatchObject({ status: 'unknown' });
		await waitUntil(async () => (await readBalance()) > 0n);
		const finished = paid(
			sandbox,
			{
				...{ operation: 'finish', chain: 'stark', waitFor: 60 },
				...{ options: { until: 'acceptedOnL1' } },
				signedTransaction: '={{ $json.signedTransaction }}',
			},
			{ items: [payment as never] },
		);
		await rollup('reorg', { depth: 1, keep: false });
		expect(await readBalance()).toBe(0n);
		await waitUntil(async () => (await readBalance()) > 0n);
		const { head } = await readStarkInfo(sandbox.control);
		await rollup('l1', { block: head.number });
		expect((await finished)[0]).toMatchObject({
			status: 'confirmed',
			transactionHash: payment.transactionHash,
		});
		expect(await readBalance()).toBe(parseEther('0.5'));
	});
});
