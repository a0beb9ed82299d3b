import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HDNodeWallet } from 'ethers';
import { DEMO_HEADER } from '../run/credentials.mts';
import type { Demo } from '../run/demo.mts';
import { fetchFromN8n } from '../run/session.mts';
import { check, collectResults } from './results.mts';

const TIMEOUT_MS = 60_000;
const JSON_HEADERS = { 'content-type': 'application/json' };
const SECRET_HEADERS = { ...JSON_HEADERS, [DEMO_HEADER.name]: DEMO_HEADER.value };

/** The fifth account of the sandbox's chain, which holds a token. */
const HOLDER_ACCOUNT = HDNodeWallet.fromPhrase(
	'test test test test test test test test test test test junk',
	undefined,
	"m/44'/60'/0'/0/4",
);

/** Plays the holder of a token, who signs in at the webhook of the example. */
export async function signInAtWebhook({ url }: Demo): Promise<void> {
	const message = `Sign in to example.com at ${new Date().toISOString()}`;
	const signature = await HOLDER_ACCOUNT.signMessage(message);
	const response = await fetchFromN8n(`${url}/webhook/let-holders-in`, {
		method: 'POST',
		headers: JSON_HEADERS,
		body: JSON.stringify({ address: HOLDER_ACCOUNT.address, message, signature }),
	});
	check(response.ok, `the answer is ${response.status}: ${await response.text()}`);
}

/** Plays a person who opens the form of a waiting execution and approves the payment. */
export const approvePayment = createApproval(
	/Send 0\.01 coins to 0x\w{40} .* Shall it be paid\?/,
	'Pay it',
);

/** Plays a person who approves in a form that shows the expected balance changes. */
export const approveForecast = createApproval(
	/what would change hands: 0x\w{40} loses 1 of the token .* Shall it be signed\?/,
	'Sign it',
);

/** Plays a person who approves in a form that shows the balances of the addresses. */
export const approveSweep = createApproval(
	/\d+ of the addresses hold [\d.]+ \S+ together\. .* Shall they be swept\?/,
	'Sweep them',
);

function createApproval(question: RegExp, answer: string) {
	return async (demo: Demo, executionId: string) =>
		await approve(demo, executionId, { question, answer });
}

async function approve(
	{ api }: Demo,
	executionId: string,
	{ question, answer }: { question: RegExp; answer: string },
): Promise<void> {
	for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(250)) {
		const execution = await api.execution(executionId);
		if (execution.status === 'waiting') {
			const { link } = collectResults(execution).only<{ link: string }>('Put the Question');
			const page = await (await fetchFromN8n(link)).text();
			check(question.test(page), `the form says: ${page}`);
			const body = new FormData();
			body.append('field-0', answer);
			const response = await fetchFromN8n(link, { method: 'POST', body });
			check(response.ok, `the form answers ${response.status}: ${await response.text()}`);
			return;
		}
		check(Date.now() < deadline, `the execution does not wait: it is ${execution.status}`);
	}
}

/** Requests three payments at the same time. One of them is requested twice. */
export async function payAllAtOnce({ url }: Demo): Promise<void> {
	const payments = Array.from({ length: 3 }, () => ({
		reference: randomBytes(8).toString('hex'),
		address: `0x${randomBytes(20).toString('hex')}`,
		amount: '0.01',
	}));
	const ask = async (payment: object) => {
		const response = await fetchFromN8n(`${url}/webhook/pay-in-turn`, {
			method: 'POST',
			headers: SECRET_HEADERS,
			body: JSON.stringify(payment),
		});
		return (await response.json()) as { status: string; transaction: string };
	};
	const answers = await Promise.all([...payments, ...payments.slice(0, 1)].map(ask));
	const statuses = answers.map(({ status }) => status).toSorted();
	const wanted = ['confirmed', 'confirmed', 'confirmed', 'repeated'];
	check(String(statuses) === String(wanted), `the answers are ${JSON.stringify(answers)}`);
	const hashes = answers.flatMap(({ transaction }) => transaction || []);
	check(new Set(hashes).size === 3, `the transactions are ${hashes.join(', ')}`);
}

interface Offer {
	amount: string;
	payTo: string;
	asset: string;
	extra: { name: string; version: string };
}

const SHOP = 'sell-an-answer';
const REQUESTS_AT_ONCE = 5;

/**
 * Plays a buyer who requests a resource, reads the offer, and signs a payment.
 * A payment that is sent five times at once gets one answer. A second payment gets another answer.
 */
export async function buyAtWebhook({ url }: Demo): Promise<void> {
	const address = `${url}/webhook/${SHOP}`;
	const offer = await readOffer(address);
	const headers = await buildPayment(offer);
	const requests = Array.from({ length: REQUESTS_AT_ONCE }, async () => {
		const response = await fetchFromN8n(address, { headers });
		return response.status;
	});
	const statuses = await Promise.all(requests);
	const delivered = statuses.filter((status) => status === 200).length;
	check(delivered === 1, `one payment, ${REQUESTS_AT_ONCE} times at once: ${statuses.join(', ')}`);
	const answer = await fetchFromN8n(address, { headers: await buildPayment(offer) });
	check(answer.status === 200, `the answer is ${answer.status}: ${await answer.text()}`);
	const receipt = decode(answer.headers.get('payment-response')) as { success: boolean };
	check(receipt.success, `the receipt is ${JSON.stringify(receipt)}`);
}

/** Requests the resource without a payment. Returns the offer in the answer. */
export async function readOffer(address: string): Promise<Offer> {
	const asked = await fetchFromN8n(address);
	check(asked.status === 402, `without a payment the answer is ${asked.status}`);
	const required = decode(asked.headers.get('payment-required')) as { accepts: [Offer] };
	return required.accepts[0];
}

function decode(header: string | null): unknown {
	return JSON.parse(Buffer.from(header ?? '', 'base64').toString() || '{}');
}

/** Signs an offer with a new authorization. Returns the headers of the payment. */
export async function buildPayment(accepted: Offer) {
	const payload = await signAuthorization(accepted);
	const payment = { x402Version: 2, accepted, payload };
	return { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') };
}

async function signAuthorization({ amount, payTo, asset, extra }: Offer) {
	const { name, version } = extra;
	const authorization = {
		from: HOLDER_ACCOUNT.address,
		to: payTo,
		value: amount,
		validAfter: '0',
		validBefore: String(Math.floor(Date.now() / 1000) + 600),
		nonce: `0x${randomBytes(32).toString('hex')}`,
	};
	const signature = await HOLDER_ACCOUNT.signTypedData(
		{ name, version, chainId: 31337, verifyingContract: asset },
		{
			TransferWithAuthorization: [
				{ name: 'from', type: 'address' },
				{ name: 'to', type: 'address' },
				{ name: 'value', type: 'uint256' },
				{ name: 'validAfter', type: 'uint256' },
				{ name: 'validBefore', type: 'uint256' },
				{ name: 'nonce', type: 'bytes32' },
			],
		},
		authorization,
	);
	return { authorization, signature };
}

/** Activates the example that sells, so that the example that buys can run. */
export async function openShop({ api }: Demo): Promise<void> {
	await api.activate(await findShop(api));
}

export async function closeShop({ api }: Demo, executionId: string): Promise<void> {
	for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(250)) {
		const { status } = await api.execution(executionId);
		if (!['new', 'running', 'waiting'].includes(status)) break;
	}
	await api.deactivate(await findShop(api));
}

async function findShop({ ask }: Demo['api']): Promise<string> {
	const workflows = await ask<Array<{ id: string; name: string }>>('GET', '/workflows');
	const shop = workflows.find(({ name }) => name === 'Sell an Answer');
	return shop?.id ?? SHOP;
}

/** Plays an AI assistant, which lists the tools over MCP and calls one of them. */
export async function askOverMcp({ url, chain }: Demo): Promise<void> {
	let session = {};
	const send = async (message: object) => {
		const response = await fetchFromN8n(`${url}/mcp/chain-over-mcp`, {
			method: 'POST',
			headers: { ...SECRET_HEADERS, ...session, accept: 'application/json, text/event-stream' },
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
		const text = await response.text();
		check(response.ok, `MCP answers ${response.status}: ${text}`);
		const id = response.headers.get('mcp-session-id');
		if (id) session = { 'mcp-session-id': id };
		return text;
	};
	const clientInfo = { name: 'demo', version: '1' };
	const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
	await send({ id: 1, method: 'initialize', params });
	await send({ method: 'notifications/initialized' });
	const listed = await send({ id: 2, method: 'tools/list' });
	for (const tool of [
		'Get_Balance',
		'Get_Token_Balance',
		'Get_Transaction',
		'Call_Contract',
		'Look_Up_Name',
	])
		check(listed.includes(`"${tool}"`), `it offers ${listed}`);
	const call = { name: 'Look_Up_Name', arguments: { name: chain.name } };
	const answer = await send({ id: 3, method: 'tools/call', params: call });
	check(answer.toLowerCase().includes(chain.holder.toLowerCase()), `it answers ${answer}`);
}
