import type { IDataObject } from 'n8n-workflow';
import { keccak256, type Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { EvmRpc } from '../../../nodes/EvmRpc/EvmRpc.node';
import {
	createAccount,
	deployDollar,
	formatSecondPayment,
	type Dollar,
} from '../../harness/dollars.mts';
import { openExample } from '../../harness/exampleWorkflow.mts';
import { figure } from '../../harness/figure.mts';
import { createRandom } from '../../harness/random.mts';
import { createSandbox } from '../../harness/sandbox.mts';

/**
 * This file sends a thousand requests at once to the example that sells an answer. Meanwhile, responses of the node get
 * lost and executions are cut off. The answer may be delivered only after its payment is settled on the chain, and only
 * once for each payment.
 */

const REQUESTS = Math.min(Number(process.env.LONG_ITEMS), 1000);
const REQUESTS_PER_PAYMENT = 4;
const TRIES = 3;
const PRICE = 10_000n;
const SELLER = '0x00000000000000000000000000000000000a11ce';
const random = createRandom(Number(process.env.LONG_SEED));

const buyer = createAccount();
const sandbox = createSandbox({ chain: true });
let dollar: Dollar;
beforeAll(async () => {
	dollar = await deployDollar(sandbox);
	await dollar.give(buyer.address, BigInt(REQUESTS) * PRICE);
});

/**
 * The accounts that settle payments, by their addresses. Each account settles one payment with a single transaction,
 * which every request with this payment prepares.
 */
const relayers = new Map<string, PrivateKeyAccount>();

async function createRelayer(): Promise<string> {
	const relayer = createAccount();
	relayers.set(relayer.address, relayer);
	await sandbox.chain('anvil_setBalance', relayer.address, '0xde0b6b3a7640000');
	return relayer.address;
}

async function sign(transaction: unknown): Promise<IDataObject> {
	const { from, to, data, gas, chainId, nonce } = transaction as Record<string, Hex>;
	const signedTransaction = await relayers.get(from!)!.signTransaction({
		type: 'eip1559',
		chainId: Number(chainId),
		nonce: Number(nonce),
		to: to!,
		data: data!,
		gas: BigInt(gas!),
		maxFeePerGas: 10n ** 11n,
		maxPriorityFeePerGas: 1n,
	});
	return { signedTransaction, transactionHash: keccak256(signedTransaction) };
}

async function readState(nonce: string): Promise<boolean> {
	const words = [buyer.address, nonce].map((one) => BigInt(one));
	const data = dollar.data('authorizationState(address,bytes32)', ...words);
	return (
		BigInt(String(await sandbox.chain('eth_call', { to: dollar.address, data }, 'latest'))) === 1n
	);
}

test(`of ${REQUESTS} requests at once each payment is delivered once at most, and settled before`, async () => {
	const shop = openExample('sell-an-answer', {
		own: { 'n8n-nodes-chain-infra.evmRpc': new EvmRpc() },
		credentials: sandbox.credentials.token,
		sign,
		changeRows: (operation, rows) => {
			// An execution can end after it has stored a payment, and before it sends the payment. The payment then stays in
			// the data table.
			if (operation === 'get' && random.upTo(49) === 0) throw new Error('the process was killed');
			return rows;
		},
	});
	const settings = {
		token: dollar.address,
		price: '0.01',
		payTo: SELLER,
		description: 'An answer',
		table: 'Authorizations over HTTP',
	};
	const accepted = {
		scheme: 'exact',
		network: 'eip155:31337',
		amount: String(PRICE),
		asset: dollar.address,
		payTo: SELLER,
	};
	const payments = await Promise.all(
		Array.from({ length: REQUESTS / REQUESTS_PER_PAYMENT }, async () => {
			const validBefore = BigInt(Math.floor(Date.now() / 1000) + 86_000);
			const signed = await dollar.sign(buyer, { to: SELLER, value: PRICE, validBefore });
			const header = formatSecondPayment(accepted, signed);
			return { nonce: signed.authorization.nonce!, header, from: await createRelayer() };
		}),
	);
	await sandbox.fault({
		rpcMethod: 'eth_sendRawTransaction',
		times: Math.ceil(payments.length / 20),
		do: { reset: 'after' },
	});
	const delivered = new Map<string, number>();

	async function buy({ header, nonce, from }: (typeof payments)[number]): Promise<void> {
		for (let tries = 0; tries < TRIES; tries++) {
			const webhookUrl = 'http://127.0.0.1/webhook/sell-an-answer';
			const { status } = await shop.ask(
				{ ...settings, from },
				{
					headers: { 'payment-signature': header },
					webhookUrl,
				},
			);
			if (status === 200) {
				delivered.set(nonce, (delivered.get(nonce) ?? 0) + 1);
				expect(await readState(nonce)).toBe(true);
			}
			if (status !== 503) return;
		}
	}

	await Promise.all(
		Array.from({ length: REQUESTS }, async (_, at) => await buy(payments[at % payments.length]!)),
	);
	const settled = Number((await dollar.readBalance(SELLER)) / PRICE);
	figure(
		`${REQUESTS} requests with ${payments.length} payments: ${delivered.size} delivered, ${settled} settled`,
	);
	expect([...delivered.values()].filter((times) => times > 1)).toEqual([]);
	expect(delivered.size).toBeLessThanOrEqual(settled);
	expect(delivered.size).toBeGreaterThan(payments.length / 2);
});
