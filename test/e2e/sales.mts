import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFunctionData, parseAbi, type Hex } from 'viem';
import { examples } from '../../demo/examples/examples.mts';
import { importExample } from '../../demo/examples/run.mts';
import { buildPayment, readOffer } from '../../demo/examples/visitors.mts';
import { fetchFromN8n } from '../../demo/run/session.mts';
import { thorough } from './folder.mts';
import { demo } from './world.mts';

/** `SALES=80` asks more often: `node --import tsx --test --test-name-pattern='the shop' test/e2e/e2e.test.mts`. A thousand at once take n8n more than eight minutes on two cores. */
const REQUESTS = Number(process.env.SALES ?? 40);
/** Each has to win a nonce of the shop's one account against all others. */
const PAYMENTS = 20;
/** When so many payments are delivered, n8n is killed. */
const DELIVERED_BEFORE_KILL = PAYMENTS / 4;
const AGAIN_MS = 1_000;

const SHOP = 'sell-an-answer';
const ABI = parseAbi([
	'function authorizationState(address,bytes32) view returns (bool)',
	'function balanceOf(address) view returns (uint256)',
]);

interface Payment {
	readonly headers: Record<string, string>;
	readonly authorization: { readonly from: Hex; readonly nonce: Hex };
	/** How often it was answered with what it pays for. */
	delivered: number;
	/** Whether the chain had it as settled at each of these times. */
	settledBefore: boolean;
}

async function askDollar(data: Hex): Promise<bigint> {
	const call = { to: demo.chain.dollar, data };
	return BigInt(String(await demo.sandbox.chain('eth_call', call, 'latest')));
}

const readBalance = async (owner: Hex) =>
	await askDollar(encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [owner] }));

async function isSettled({ authorization: { from, nonce } }: Payment): Promise<boolean> {
	const args = [from, nonce] as const;
	return (
		(await askDollar(
			encodeFunctionData({ abi: ABI, functionName: 'authorizationState', args }),
		)) === 1n
	);
}

async function createPayment(offer: Parameters<typeof buildPayment>[0]): Promise<Payment> {
	const headers = await buildPayment(offer);
	const sent = Buffer.from(headers['payment-signature'], 'base64').toString();
	const { payload } = JSON.parse(sent) as { payload: Pick<Payment, 'authorization'> };
	const { authorization } = payload;
	return { headers, authorization, delivered: 0, settledBefore: true };
}

describe('the shop of the example, where n8n is killed while it sells', thorough, () => {
	const payments: Payment[] = [];
	let url: string;
	let workflowId: string;
	let earned: bigint;

	/** A buyer asks until the shop decides: n8n is down for a while, and payments wait for each other. */
	async function buy(payment: Payment): Promise<void> {
		for (let isDecided = false; !isDecided; await sleep(AGAIN_MS)) {
			const answer = await ask(payment).catch(() => undefined);
			// While n8n starts, it answers with a page of its own and the status 200.
			const isDelivered = answer?.text.includes('What you have paid for') ?? false;
			if (isDelivered) {
				payment.delivered++;
				payment.settledBefore &&= await isSettled(payment);
			}
			isDecided = isDelivered || answer?.status === 402;
		}
	}

	async function ask({ headers }: Payment) {
		const answer = await fetchFromN8n(url, { headers });
		return { status: answer.status, text: await answer.text() };
	}

	before(async () => {
		const example = examples.find(({ file }) => file === SHOP)!;
		workflowId = (await importExample(demo, example)).id;
		await demo.api.activate(workflowId);
		url = `${demo.url}/webhook/${SHOP}`;
		const offer = await readOffer(url);
		for (let at = 0; at < PAYMENTS; at++) payments.push(await createPayment(offer));
		const held = await readBalance(offer.payTo);
		const buying = Array.from(
			{ length: REQUESTS },
			async (_, at) => await buy(payments[at % payments.length]!),
		);
		let isOver = false;
		const bought = Promise.all(buying).finally(() => (isOver = true));
		const countDelivered = () => payments.filter(({ delivered }) => delivered > 0).length;
		while (!isOver && countDelivered() < DELIVERED_BEFORE_KILL) await sleep(10);
		await demo.crash();
		await bought;
		earned = ((await readBalance(offer.payTo)) - held) / BigInt(offer.amount);
	});
	after(async () => await demo.api.deactivate(workflowId));

	it('each payment is delivered at most once, and settled before', async () => {
		const delivered = payments.filter((payment) => payment.delivered > 0);
		const settled = await Promise.all(payments.map(isSettled));
		console.log(
			`${REQUESTS} requests with ${payments.length} payments: ${delivered.length} delivered, ${earned} settled`,
		);
		assert.deepEqual(
			payments.filter(({ delivered: times }) => times > 1),
			[],
		);
		assert.ok(delivered.every(({ settledBefore }) => settledBefore));
		assert.ok(delivered.length >= DELIVERED_BEFORE_KILL);
		assert.equal(earned, BigInt(settled.filter(Boolean).length));
	});
});
