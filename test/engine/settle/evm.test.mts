import {
	createPublicClient,
	encodeErrorResult,
	http,
	keccak256,
	parseAbi,
	parseTransaction,
	type Hex,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { makeMark } from '../../../nodes/core/chain/mark';
import { addMark } from '../../../nodes/core/evm/mark';
import { settlePayment } from '../../../nodes/core/evm/settle';
import type { PaymentOutcome } from '../../../nodes/core/chain/ownPayment';
import { connectRpc } from '../../../nodes/core/protocols/rpc/connect';
import { rpcOperation } from '../../../nodes/core/protocols/rpc/operation';
import { MNEMONIC } from '../../cases/case.mts';
import { EvmRpc } from '../../../nodes/EvmRpc/EvmRpc.node';
import { given, runFunction } from '../../harness/functionNode.mts';
import { runNode, type NodeRun } from '../../harness/engine.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { waitUntil } from '../../harness/until.mts';

const sandbox = createSandbox({ chain: true });
const account = mnemonicToAccount(MNEMONIC, { addressIndex: 6 });
const payee = '0x00000000000000000000000000000000000000b6';

/**
 * Creates a client that reads from the chain itself, without the test's faults and without the code that is tested.
 */
const client = () =>
	createPublicClient({
		chain: foundry,
		transport: http('http://chain', {
			retryCount: 0,
			fetchFn: async (_url, init) => {
				const { id, method, params } = JSON.parse(String(init?.body)) as {
					id: number;
					method: string;
					params: unknown[];
				};
				const result = await sandbox.chain(method, ...(params ?? []));
				return Response.json({ jsonrpc: '2.0', id, result });
			},
		}),
	});

const operation = rpcOperation({
	name: 'Settle',
	action: 'Settle',
	description: 'Settle',
	waits: true,
	fields: [given],
	async *run(p, chain) {
		const { signed, receipt, ...terms } = p.given as unknown as {
			signed: string;
		} & Required<Terms>;
		const call: typeof chain.call = async (method, params, more) => {
			const answer = await chain.call(method, params, more);
			const isReceipt = method === 'eth_getTransactionReceipt' && answer !== null;
			return isReceipt ? { ...(answer as object), ...receipt } : answer;
		};
		yield await settlePayment({ ...chain, call }, signed, terms);
	},
});

interface Terms {
	readonly seconds?: number;
	readonly confirmations?: number;
	readonly from?: string | null;
	/** The fields that the fake chain node changes in its receipts. */
	readonly receipt?: object;
}

async function settleAll(signed: readonly Hex[], terms: Terms = {}, more: Partial<NodeRun> = {}) {
	const usual = { seconds: 20, confirmations: 1, from: account.address };
	return await runFunction(
		operation,
		connectRpc,
		sandbox.credentials.token,
		signed.map((one) => ({ signed: one, ...usual, ...terms })),
		more,
	);
}

async function settle(signed: Hex, terms: Terms = {}): Promise<PaymentOutcome> {
	const { items, error } = await settleAll([signed], terms);
	expect(error?.message).toBeUndefined();
	return items[0]?.json as unknown as PaymentOutcome;
}

const NO_FEES = { maxFeePerGas: undefined, maxPriorityFeePerGas: undefined };

async function sign(more: object = {}): Promise<Hex> {
	return await account.signTransaction({
		type: 'eip1559',
		chainId: 31_337,
		nonce: await nonceOf(),
		to: payee,
		value: 10n ** 17n,
		gas: 100_000n,
		maxFeePerGas: 20n * 10n ** 9n,
		maxPriorityFeePerGas: 10n ** 9n,
		...more,
	} as never);
}

const nonceOf = async () =>
	await client().getTransactionCount({ address: account.address, blockTag: 'pending' });
const holding = async () => await client().getBalance({ address: payee });
const automine = async (isOn: boolean) => await sandbox.chain('evm_setAutomine', isOn);
const mine = async () => await sandbox.chain('evm_mine');
const send = async (signed: Hex) => await sandbox.chain('eth_sendRawTransaction', signed);

const calls = async () =>
	(await sandbox.record()).flatMap(({ body }) => [body].flat() as Array<{ method?: string }>);
const sendings = async () =>
	(await calls()).filter(({ method }) => method === 'eth_sendRawTransaction').length;

let before = 0n;
beforeEach(async () => {
	before = await holding();
});
afterEach(async () => {
	await mine();
	await automine(true);
});

const paid = async () => (await holding()) - before;
const ONE = 10n ** 17n;

/** Reads the outcome of a transaction from the chain itself. */
async function onChain(signed: Hex) {
	const receipt = await client().getTransactionReceipt({ hash: keccak256(signed) });
	const { timestamp } = await client().getBlock({ blockNumber: receipt.blockNumber });
	return {
		transactionHash: receipt.transactionHash,
		fee: String(Number(receipt.gasUsed * receipt.effectiveGasPrice) / 1e18),
		blockNumber: Number(receipt.blockNumber),
		timestamp: new Date(Number(timestamp) * 1000).toISOString(),
	};
}

describe('a payment is confirmed, and paid once,', () => {
	test.each([
		['as it is', {}],
		['with the fee of the old kind', { type: 'legacy', gasPrice: 20n * 10n ** 9n, ...NO_FEES }],
	])('%s', async (_, kind) => {
		const signed = await sign(kind);
		const outcome = await settle(signed);
		expect(outcome).toEqual({ status: 'confirmed', reason: null, ...(await onChain(signed)) });
		expect([await paid(), await sendings()]).toEqual([ONE, 1]);
	});

	// Lost requests are tested in `signer/test/pay/faults`.
	test.each([
		{ reset: 'after' },
		{ truncate: true },
		{ patch: { result: `0x${'ab'.repeat(32)}` } },
	])('when its answer is lost: %j', async (fault) => {
		await sandbox.fault({ rpcMethod: 'eth_sendRawTransaction', times: 1, do: fault });
		const signed = await sign();
		expect(await settle(signed, { seconds: 60 })).toMatchObject({ status: 'confirmed' });
		expect(await paid()).toBe(ONE);
	});

	test('when it is settled again, and by five runs at once', async () => {
		const signed = await sign();
		const all = await Promise.all(Array.from({ length: 5 }, async () => await settle(signed)));
		expect(all).toEqual(Array(5).fill(all[0]));
		expect(await settle(signed)).toEqual(all[0]);
		expect(all[0]).toMatchObject({ status: 'confirmed' });
		expect(await paid()).toBe(ONE);
	});

	test('when the run was stopped between sending and waiting', async () => {
		await automine(false);
		const signed = await sign();
		const { status } = await settleAll(
			[signed],
			{},
			{
				stopAfter: async () => await waitUntil(async () => (await sendings()) > 0),
			},
		);
		expect(status).toBe('canceled');
		await automine(true);
		expect(await settle(signed)).toMatchObject({ status: 'confirmed' });
		expect(await paid()).toBe(ONE);
	});

	test('when the node forgot it', async () => {
		await automine(false);
		const signed = await sign();
		await send(signed);
		await sandbox.chain('anvil_dropTransaction', keccak256(signed));
		await automine(true);
		expect(await settle(signed)).toMatchObject({ status: 'confirmed' });
		expect(await paid()).toBe(ONE);
	});

	test('when it first lacks the money, which comes while it is waited for', async () => {
		const balance = await client().getBalance({ address: account.address });
		await sandbox.chain('anvil_setBalance', account.address, '0x1');
		const signed = await sign();
		const settling = settle(signed);
		// The second sending shows that the chain node has refused the first.
		await waitUntil(async () => (await sendings()) > 1);
		await sandbox.chain('anvil_setBalance', account.address, `0x${balance.toString(16)}`);
		expect(await settling).toMatchObject({ status: 'confirmed' });
		expect(await paid()).toBe(ONE);
	});

	test('in the order of many items', async () => {
		const nonce = await nonceOf();
		const all = await Promise.all([0, 1, 2, 3].map(async (at) => sign({ nonce: nonce + at })));
		const { items } = await settleAll(all);
		expect(items.map(({ json }) => [json.status, json.transactionHash])).toEqual(
			all.map((one) => ['confirmed', keccak256(one)]),
		);
		expect(await paid()).toBe(4n * ONE);
	});
});

describe('a payment has failed', () => {
	test('once it has reverted, with the reason of the contract', async () => {
		// The contract reverts with the data that it is called with.
		const deployment = '0x66365f5f37365ffd5f5260076019f3';
		const { contractAddress } = await sandbox.mined({
			from: ((await sandbox.chain('eth_accounts')) as string[])[0],
			data: deployment,
		});
		const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['Paused'] });
		const signed = await sign({ to: contractAddress, value: 0n, data });
		expect(await settle(signed)).toEqual({
			status: 'failed',
			reason: expect.stringMatching(/^It is on the chain and reverted: .*Paused/),
			...(await onChain(signed)),
		});
	});

	test('once another transaction with its nonce is in a block, and not while that one waits', async () => {
		await automine(false);
		const [signed, other] = [await sign(), await sign({ value: 2n, maxFeePerGas: 10n ** 11n })];
		await send(other);
		expect(await settle(signed, { seconds: 3 })).toMatchObject({
			status: 'unknown',
			transactionHash: keccak256(signed),
			fee: null,
			blockNumber: null,
			reason: expect.stringMatching(/underpriced.*Do not pay again, but run Finish/),
		});
		await mine();
		expect(await settle(signed, { confirmations: 3, seconds: 4 })).toMatchObject({
			status: 'unknown',
		});
		const block = await client().getBlockNumber();
		await mine();
		await mine();
		const outcome = await settle(signed, { confirmations: 3 });
		expect(outcome).toMatchObject({ status: 'failed', transactionHash: keccak256(signed) });
		expect(outcome.reason).toContain(`${keccak256(other)} in block ${block}`);
		expect(await paid()).toBe(2n);
	});

	test('when it is replaced while it is waited for', async () => {
		await automine(false);
		const [signed, other] = [
			await sign(),
			await sign({ value: 3n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 10n }),
		];
		const settling = settle(signed);
		await waitUntil(async () => (await sendings()) > 0);
		await send(other);
		await mine();
		expect(await settling).toMatchObject({ status: 'failed' });
		expect(await paid()).toBe(3n);
	});

	test('once an equal payment with another mark has its nonce, which the reason says', async () => {
		const [signed, other] = [await sign(marked('a')), await sign(marked('b'))];
		await send(other);
		const outcome = await settle(signed);
		expect(outcome).toMatchObject({ status: 'failed', transactionHash: keccak256(signed) });
		expect(outcome.reason).toContain(keccak256(other));
		expect(outcome.reason).toMatch(
			/sends 0\.1 coins to 0x\w+ as well: it is another payment, with another Payment ID or without one\./,
		);
		expect(await paid()).toBe(ONE);
	});
});

/** Computes fees from the given gas price. The last bits of the fees encode the payment ID. */
function marked(id: string, gwei = 20n) {
	const price = { maxFeePerGas: gwei * 10n ** 9n, maxPriorityFeePerGas: gwei * 10n ** 8n };
	const bought = addMark({ gas: 100_000n, price }, makeMark('evm', id).value);
	return { gas: bought.gas, ...bought.price };
}

describe('a payment is confirmed by another transaction with its nonce', () => {
	test.each([
		['sooner', 1],
		['when it is waited for', 0],
	])('that is the same payment with other fees, and gets into a block %s', async (_, sooner) => {
		await automine(false);
		const [signed, other] = [await sign(marked('a')), await sign(marked('a', 40n))];
		const early = async () => {
			await send(other);
			await mine();
		};
		if (sooner) await early();
		const settling = settle(signed);
		if (!sooner) {
			await waitUntil(async () => (await sendings()) > 0);
			await early();
		}
		expect(await settling).toMatchObject({
			status: 'confirmed',
			transactionHash: keccak256(other),
			fee: expect.stringMatching(/^0\.0/),
			blockNumber: Number(await client().getBlockNumber()),
			reason: null,
		});
		expect(await paid()).toBe(ONE);
	});

	test('that Replacement has made of it', async () => {
		await automine(false);
		const signed = await sign(marked('a'));
		await send(signed);
		const { items } = await runNode({
			node: new EvmRpc(),
			parameters: {
				resource: 'transaction',
				operation: 'prepare',
				kind: 'replacement',
				from: account.address,
				transactionHash: keccak256(signed),
			},
			credentials: sandbox.credentials.token,
		});
		const faster = await account.signTransaction(
			parseTransaction(items[0]?.json.unsignedTransaction as Hex) as never,
		);
		await send(faster);
		await mine();
		expect(await settle(signed)).toMatchObject({
			status: 'confirmed',
			transactionHash: keccak256(faster),
		});
		expect(await paid()).toBe(ONE);
	});
});

describe('nobody knows yet what becomes of a payment', () => {
	test('that is for another chain, whatever its nonces are here', async () => {
		await settle(await sign());
		const signed = await sign({ chainId: 5, nonce: (await nonceOf()) - 1 });
		expect(await settle(signed)).toMatchObject({
			status: 'unknown',
			reason: expect.stringMatching(/is for chain 5, and the chain node belongs to chain 31337/),
		});
	});

	test('whose signature is of nobody', async () => {
		await settle(await sign());
		const signed = await sign({ nonce: (await nonceOf()) - 1, value: 7n });
		expect(await settle(signed, { from: null, seconds: 4 })).toMatchObject({ status: 'unknown' });
	});

	test.each(['0x2', '0x10', '', null])('whose receipt has the status %j', async (status) => {
		const outcome = await settle(await sign(), { receipt: { status } });
		expect(outcome.status).toBe('unknown');
		expect(outcome.reason).toMatch(/its receipt does not say whether it succeeded/);
	});

	test('where there are too few confirmations', async () => {
		const signed = await sign();
		const outcome = await settle(signed, { confirmations: 5, seconds: 2 });
		expect(outcome).toMatchObject({ status: 'unknown', fee: null, blockNumber: null });
		expect(outcome.reason).toMatch(/^The transaction is in block \d+ with 1 of 5 confirmations/);
		expect(await paid()).toBe(ONE);
	});

	test('where the node takes nothing more, and says nothing', async () => {
		await sandbox.fault({ method: 'POST', times: -1, do: { status: 401, body: 'no' } });
		expect(await settle(await sign())).toMatchObject({ status: 'unknown' });
		expect(await paid()).toBe(0n);
	});
});
