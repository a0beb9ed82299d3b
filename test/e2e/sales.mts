import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFunctionData, parseAbi, type Hex } from 'viem';
import { examples } from '../../demo/examples/examples.mts';
import { importExample } from '../../demo/examples/run.mts';
import { buildPayment, readOffer } from '../../demo/examples/visitors.mts';
import { fetchFromN8n } from '../../demo/run/session.mts';
import { thorough } from './folder.mts';
import { readHeld } from './money.mts';
import { demo } from './world.mts';

/**
 * The number of simultaneous requests. A thousand take about seven minutes:
 * `SALES=1000 node --import tsx --test --test-name-pattern='the shop' test/e2e/e2e.test.mts`
 */
const REQUESTS = Number(process.env.SALES ?? 60);
/** The number of payments. They compete for the nonces of the shop's only account. */
const PAYMENTS = 20;
/** The number of deliveries after which n8n is killed. n8n is also killed when half of the requests have an answer. */
const DELIVERED_BEFORE_KILL = PAYMENTS / 4;
const AGAIN_MS = 1_000;

const SHOP = 'sell-an-answer';
const ABI = parseAbi(['function authorizationState(address,bytes32) view returns (bool)']);

interface Payment {
	readonly headers: Record<string, string>;
	readonly authorization: { readonly from: Hex; readonly nonce: Hex };
	/** The number of answers that delivered the goods for this payment. */
	delivered: number;
	/** Whether the payment was settled on the chain before each of its deliveries. */
	settledBefore: boolean;
}

async function askDollar(data: Hex): Promise<bigint> {
	const call = { to: demo.chain.dollar, data };
	return BigInt(String(await demo.sandbox.chain('eth_call', call, 'latest')));
}

const readBalance = async (owner: string) => await readHeld(demo.chain.dollar, owner);

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
	/** The number of requests without an answer. */
	let open: number;
	let openAtKill: number;
	/** Whether the shop sells again after the kill. */
	let isSoldAnew: boolean;

	/** Sends one request with a payment. Returns whether the shop has decided about the payment. */
	async function ask(payment: Payment): Promise<boolean> {
		const { headers } = payment;
		const answer = await fetchFromN8n(url, { headers }).catch(() => undefined);
		const text = (await answer?.text().catch(() => undefined)) ?? '';
		// The status alone does not show a delivery, because a starting n8n answers with a page of its own and status 200.
		const isDelivered = text.includes('What you have paid for');
		if (isDelivered) {
			payment.delivered++;
			payment.settledBefore &&= await isSettled(payment);
		}
		return isDelivered || answer?.status === 402;
	}

	/** Repeats a request until the shop decides, as a buyer whose request got lost would. */
	async function askUntilDecided(payment: Payment): Promise<void> {
		while (!(await ask(payment))) await sleep(AGAIN_MS);
	}

	before(async () => {
		const example = examples.find(({ file }) => file === SHOP)!;
		workflowId = (await importExample(demo, example)).id;
		await demo.api.activate(workflowId);
		url = `${demo.url}/webhook/${SHOP}`;
		const offer = await readOffer(url);
		for (let at = 0; at < PAYMENTS; at++) payments.push(await createPayment(offer));
		const held = await readBalance(offer.payTo);
		open = REQUESTS;
		const asking = Array.from({ length: REQUESTS }, async (_, at) => {
			await ask(payments[at % payments.length]!);
			open--;
		});
		const countDelivered = () => payments.filter(({ delivered }) => delivered > 0).length;
		while (open > REQUESTS / 2 && countDelivered() < DELIVERED_BEFORE_KILL) await sleep(10);
		openAtKill = open;
		await demo.crash();
		await Promise.all(asking);
		await Promise.all(payments.map(askUntilDecided));
		// If n8n was killed after the shop had stored a payment but before it sent the payment to the chain, the shop
		// never settles it. Its buyer must sign a new payment.
		const anew = await createPayment(offer);
		payments.push(anew);
		await askUntilDecided(anew);
		isSoldAnew = anew.delivered === 1;
		earned = ((await readBalance(offer.payTo)) - held) / BigInt(offer.amount);
	});
	after(async () => await demo.api.deactivate(workflowId));

	it('each payment is delivered at most once, and settled before', async () => {
		const delivered = payments.filter((payment) => payment.delivered > 0);
		const settled = await Promise.all(payments.map(isSettled));
		console.log(
			`${REQUESTS} requests at once with ${payments.length} payments, n8n killed while ${openAtKill} were open: ${delivered.length} delivered, ${earned} settled`,
		);
		assert.ok(openAtKill > 0);
		assert.ok(isSoldAnew);
		assert.deepEqual(
			payments.filter(({ delivered: times }) => times > 1),
			[],
		);
		assert.ok(delivered.every(({ settledBefore }) => settledBefore));
		assert.equal(earned, BigInt(settled.filter(Boolean).length));
	});
});
