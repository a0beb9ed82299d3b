import { internal } from '@ton/core';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { request } from 'undici';
import { createSandbox, TEST_ADDRESS, TEST_KEY } from '../harness/sandbox.mts';
import { readStarkInfo } from '../harness/starkChain.mts';
import { waitUntil } from '../harness/until.mts';
import { OWNER, signed } from '../engine/witness/support/wallet.mts';
import { signInvoke } from './support/starkInvoke.mts';
import { openWallets, signTransfer, wrap } from './support/tonClient.mts';

type Json = Record<string, unknown>;

/** A signed payment: the request that sends it, and a check whether the chain has accepted it. */
interface Payment {
	readonly path: string;
	readonly body: Json;
	readonly isTaken: () => Promise<boolean>;
}

const sandbox = createSandbox({ chain: true });

async function post(path: string, body: Json, signal?: AbortSignal): Promise<Json> {
	const answer = await request(`${sandbox.nodeUrl}/${sandbox.authToken}${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
		...(signal && { signal }),
	});
	return (await answer.body.json()) as Json;
}

const rpc = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });

async function prepareEvm(): Promise<Payment> {
	const serializedTransaction = await privateKeyToAccount(TEST_KEY).signTransaction({
		chainId: 31337,
		nonce: Number(await sandbox.chain('eth_getTransactionCount', TEST_ADDRESS, 'latest')),
		to: TEST_ADDRESS,
		gas: 21_000n,
		gasPrice: 100_000_000_000n,
	});
	const hash = keccak256(serializedTransaction);
	return {
		path: '/',
		body: rpc('eth_sendRawTransaction', serializedTransaction),
		isTaken: async () => (await sandbox.chain('eth_getTransactionByHash', hash)) !== null,
	};
}

async function prepareWitness(): Promise<Payment> {
	const built = await post('/wallet/createtransaction', {
		owner_address: OWNER,
		to_address: 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
		amount: 1,
		visible: true,
	});
	return {
		path: '/wallet/broadcasttransaction',
		body: signed(built as never),
		isTaken: async () => {
			const broadcasts = (await sandbox.control('GET', '/wallet')) as Array<{ txid: string }>;
			return broadcasts.some(({ txid }) => txid === built.txID);
		},
	};
}

interface TonChain {
	readonly people: { readonly bob: Parameters<typeof openWallets>[0] };
	readonly transactions: number;
}

async function prepareTon(): Promise<Payment> {
	const readChain = async () => (await sandbox.control('GET', '/ton/chain')) as TonChain;
	const { people, transactions } = await readChain();
	const wallets = openWallets(people.bob);
	const { address, init } = wallets.v5r1;
	const messages = [internal({ to: address, value: 1n, bounce: false })];
	return {
		path: '/api/v3/message',
		body: { boc: wrap(address, signTransfer(wallets, 'v5r1', { seqno: 0, messages }), init) },
		isTaken: async () => (await readChain()).transactions > transactions,
	};
}

async function prepareStark(): Promise<Payment> {
	const { accounts, head } = await readStarkInfo(sandbox.control);
	const [account] = accounts;
	return {
		path: '/',
		body: rpc('starknet_addInvokeTransaction', signInvoke(account!)),
		isTaken: async () => (await readStarkInfo(sandbox.control)).head.number > head.number,
	};
}

const FAMILIES = {
	evm: prepareEvm,
	witness: prepareWitness,
	ton: prepareTon,
	stark: prepareStark,
};
const FAMILY_NAMES = Object.keys(FAMILIES) as Array<keyof typeof FAMILIES>;
const HOUR = 3_600_000;

describe.each(FAMILY_NAMES)('what is sent to a chain of the family %s', (family) => {
	/** Prepares a payment. The fault affects the requests that send it. */
	async function prepare(fault?: object, sends: string = family): Promise<Payment> {
		const payment = await FAMILIES[family]();
		if (fault) await sandbox.fault({ sends, do: fault });
		return payment;
	}

	const send = async ({ path, body }: Payment) => await post(path, body);

	const listFaults = async () => await sandbox.control('GET', '/faults');

	test('is taken once its answer is there', async () => {
		const payment = await prepare();
		expect(await payment.isTaken()).toBe(false);
		await send(payment);
		expect(await payment.isTaken()).toBe(true);
	});

	test.each([
		['reset before', { reset: 'before' }, false],
		['reset after', { reset: 'after' }, true],
		['silent before', { stall: 1 }, false],
		['silent after', { stall: 1, when: 'after' }, true],
	] as const)('loses its answer by a connection that is %s', async (_, fault, isTaken) => {
		const payment = await prepare(fault);
		await expect(send(payment)).rejects.toThrow();
		expect(await payment.isTaken()).toBe(isTaken);
		expect(await listFaults()).toEqual([]);
	});

	test('is taken although the sender no longer waits for the answer', async () => {
		const payment = await prepare({ delay: HOUR, when: 'after' });
		const left = new AbortController();
		const sending = post(payment.path, payment.body, left.signal);
		await waitUntil(payment.isTaken);
		left.abort();
		await expect(sending).rejects.toThrow();
	});

	test('is taken only when the sender has left', async () => {
		const payment = await prepare({ delay: 500 });
		const left = new AbortController();
		const sending = post(payment.path, payment.body, left.signal);
		await waitUntil(async () => ((await listFaults()) as object[]).length === 0);
		left.abort();
		await Promise.allSettled([sending]);
		await waitUntil(payment.isTaken);
	});

	test('is found by a rule for any family, and by no rule for another', async () => {
		for (const other of FAMILY_NAMES.filter((name) => name !== family)) {
			await sandbox.fault({ sends: other, do: { reset: 'before' } });
		}
		const payment = await prepare({ reset: 'after' }, 'any');
		await expect(send(payment)).rejects.toThrow();
		expect(await payment.isTaken()).toBe(true);
		expect(await listFaults()).toHaveLength(FAMILY_NAMES.length - 1);
	});
});
