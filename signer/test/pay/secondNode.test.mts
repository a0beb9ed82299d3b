import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { openExample } from '../../../test/harness/exampleWorkflow.mts';
import { createSandbox, TEST_ADDRESS } from '../../../test/harness/sandbox.mts';
import {
	createTestServer,
	getCalls,
	sendJson,
	type RpcCall,
} from '../../../test/harness/server.mts';
import { Pay } from '../../nodes/Pay/Pay.node';
import { credentialTypes } from '../support/signerNode.mts';

/**
 * Tests of the example workflow that asks a second node about a failed payment. It may pay again only if both
 * nodes say that the payment has failed.
 */

const sandbox = createSandbox({ chain: true });

/** The behaviour of the first node when it should send a transaction. */
let keep: (signed: unknown) => Promise<unknown>;

const sendToChain = async (signed: unknown) =>
	await sandbox.chain('eth_sendRawTransaction', signed);

/** A first node that forwards the chain's answers, but reports each transaction as reverted. */
const liar = createTestServer(async (received, response) => {
	const replies = await Promise.all(
		getCalls(received).map(async ({ id, method, params }) => {
			try {
				return { jsonrpc: '2.0', id, result: await answerAsLiar(method, params) };
			} catch (error) {
				return { jsonrpc: '2.0', id, error: { code: -32000, message: String(error) } };
			}
		}),
	);
	sendJson(response, 200, Array.isArray(received.json) ? replies : replies[0]);
});

async function answerAsLiar(method: string, params: RpcCall['params']): Promise<unknown> {
	if (method === 'eth_sendRawTransaction') return await keep(params[0]);
	if (method !== 'eth_getTransactionReceipt') return await sandbox.chain(method, ...params);
	const block = (await sandbox.chain('eth_getBlockByNumber', 'latest', false)) as {
		readonly number: string;
		readonly hash: string;
	};
	return {
		transactionHash: params[0],
		transactionIndex: '0x0',
		blockNumber: block.number,
		blockHash: block.hash,
		from: TEST_ADDRESS,
		status: '0x0',
		gasUsed: '0x5208',
		effectiveGasPrice: '0x1',
		logs: [],
	};
}

/** Pays one invoice with the example workflow. Returns the workflow's report, and how many items each of its nodes had. */
async function pay(
	amount: string,
	secondNode: object = sandbox.credentials.token.chainNodeTokenApi,
) {
	const example = openExample('ask-a-second-node', {
		own: { 'n8n-nodes-chain-infra-signer.pay': new Pay() },
		credentials: {
			...liar.credentials.token,
			...sandbox.credentials.signerKey,
			'Chain Node of Another Provider': { ...secondNode },
		},
		credentialTypes,
	});
	const address = privateKeyToAddress(generatePrivateKey());
	const invoice = `2026-${address}`;
	const reached = new Map<string, object[]>();
	const nonce = await readNumber('eth_getTransactionCount', TEST_ADDRESS);
	const payments = [{ invoice, address, amount }] as never;
	expect(await example.run({ payments, askFrom: 0.1 }, reached as never)).toBeUndefined();
	const count = (name: string) => reached.get(name)?.length ?? 0;
	expect(reached.get('Pay')).toMatchObject([{ status: 'failed' }]);
	return {
		report: reached.get('Report'),
		asked: count('Ask the Second Node'),
		paidAgain: count('Pay Again'),
		received: await readNumber('eth_getBalance', address),
		transactions: (await readNumber('eth_getTransactionCount', TEST_ADDRESS)) - nonce,
	};
}

const readNumber = async (method: string, address: string) =>
	BigInt(String(await sandbox.chain(method, address, 'latest')));

test('a payment on the chain, of which the first node says that it was undone, is not paid again', async () => {
	keep = sendToChain;
	expect(await pay('0.2')).toMatchObject({
		report: [{ status: 'confirmed', message: expect.stringMatching(/^Paid 0\.2 coins/) }],
		asked: 1,
		paidAgain: 0,
		received: parseEther('0.2'),
		transactions: 1n,
	});
});

test('a payment that the first node kept to itself is sent by the second, as it was signed', async () => {
	const kept: unknown[] = [];
	keep = async (signed) => kept.push(signed);
	expect(await pay('0.3')).toMatchObject({
		report: [{ status: 'confirmed', signedTransaction: expect.any(String) }],
		paidAgain: 0,
		received: parseEther('0.3'),
		transactions: 1n,
	});
	// The first node now sends the transaction that it kept. The chain refuses it, because the second node has already sent it.
	await expect(sendToChain(kept[0])).rejects.toThrow(/nonce too low|already/i);
});

test('a payment whose nonce another transaction took fails on both nodes, and is paid again once', async () => {
	keep = async () => {
		await sandbox.chain('anvil_impersonateAccount', TEST_ADDRESS);
		const rival = { from: TEST_ADDRESS, to: TEST_ADDRESS, value: '0x0' };
		return (await sandbox.mined(rival)).transactionHash;
	};
	expect(await pay('0.4')).toMatchObject({
		report: [{ status: 'confirmed' }],
		asked: 1,
		paidAgain: 1,
		received: parseEther('0.4'),
		transactions: 2n,
	});
});

test('without an answer of the second node, nothing is paid again, and the report says unknown', async () => {
	keep = sendToChain;
	const { token } = sandbox.credentials;
	const stranger = { ...token.chainNodeTokenApi, authToken: 'not-the-token' };
	expect(await pay('0.5', stranger)).toMatchObject({
		report: [{ status: 'unknown', signedTransaction: expect.stringMatching(/^0x/) }],
		paidAgain: 0,
		received: parseEther('0.5'),
		transactions: 1n,
	});
});

test('a failed payment below the amount is reported, and not paid again', async () => {
	keep = sendToChain;
	expect(await pay('0.09')).toMatchObject({
		report: [{ status: 'failed' }],
		asked: 0,
		paidAgain: 0,
		received: parseEther('0.09'),
		transactions: 1n,
	});
});
