import type { PaymentOutcome } from '../../../nodes/core/chain/ownPayment';
import { connectRpc } from '../../../nodes/core/protocols/rpc/connect';
import { rpcOperation } from '../../../nodes/core/protocols/rpc/operation';
import { makeMark } from '../../../nodes/core/chain/mark';
import type { ResourceBounds } from '../../../nodes/core/stark/invoke';
import { addMark } from '../../../nodes/core/stark/mark';
import { createStarkNode } from '../../../nodes/core/stark/reader';
import { parseSignedPayment, settlePayment } from '../../../nodes/core/stark/settle';
import { Stark } from '../../../nodes/Stark/Stark.node';
import { signPreparedInvoke, type PreparedInvoke } from '../../cases/starkSigning.mts';
import { runNode } from '../../harness/engine.mts';
import { given, runFunction } from '../../harness/functionNode.mts';
import { createStarkChain } from '../../harness/starkChain.mts';

const { sandbox, account, accountOf, contractOf } = createStarkChain();

const operation = rpcOperation({
	name: 'Settle',
	action: 'Settle',
	description: 'Settle',
	waits: true,
	fields: [given],
	async *run(p, chain) {
		const { signed, seconds } = p.given;
		const terms = { seconds: Number(seconds), until: 'acceptedOnL2' } as const;
		yield await settlePayment(
			chain,
			createStarkNode(chain, 'l2'),
			parseSignedPayment(signed),
			terms,
		);
	},
});

async function settle(signed: string, seconds = 20): Promise<PaymentOutcome> {
	const items = [{ signed, seconds }];
	const run = await runFunction(operation, connectRpc, sandbox.credentials.token, items);
	expect(run.error?.message).toBeUndefined();
	return run.items[0]?.json as unknown as PaymentOutcome;
}

async function sign(amount: string, change: object = {}) {
	const { items } = await runNode({
		node: new Stark(),
		parameters: {
			resource: 'transaction',
			operation: 'prepare',
			from: accountOf(0),
			token: contractOf('newToken'),
			to: accountOf(1),
			amount,
		},
		credentials: sandbox.credentials.token,
	});
	const transaction = items[0]?.json.transaction as unknown as PreparedInvoke;
	return signPreparedInvoke({ ...transaction, ...change }, account(0).privateKey);
}

async function held(): Promise<number> {
	const { items } = await runNode({
		node: new Stark(),
		parameters: {
			resource: 'token',
			operation: 'getBalance',
			token: contractOf('newToken'),
			owner: accountOf(1),
		},
		credentials: sandbox.credentials.token,
	});
	return Number(items[0]?.json.amount);
}

// Lost requests are tested in `signer/test/pay/faults`.
test('a payment is confirmed and paid once, though its answer is lost and it is settled thrice at once', async () => {
	const before = await held();
	const rule = { rpcMethod: 'l2_addInvokeTransaction', times: 1 };
	await sandbox.fault({ ...rule, do: { reset: 'after' } });
	const { signed, hash } = await sign('2');
	const all = await Promise.all([1, 2, 3].map(async () => await settle(signed, 60)));
	expect(all[0]).toEqual({
		status: 'confirmed',
		transactionHash: hash,
		fee: expect.stringMatching(/^\d+(\.\d+)?$/),
		blockNumber: expect.any(Number),
		timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
		reason: null,
	});
	expect(all).toEqual(Array(3).fill(all[0]));
	expect((await held()) - before).toBe(2);
});

test('a payment has failed once another transaction has its nonce, and its hash is named', async () => {
	const [mine, other] = [await sign('1'), await sign('3')];
	const before = await held();
	expect(await settle(other.signed)).toMatchObject({ status: 'confirmed' });
	const outcome = await settle(mine.signed);
	expect(outcome).toMatchObject({ status: 'failed', transactionHash: mine.hash, fee: null });
	expect(outcome.reason).toMatch(
		`Another transaction came first, with the same number (nonce) 0: ${other.hash} in block `,
	);
	expect((await held()) - before).toBe(3);
});

/** Signs a payment whose fee bounds encode the payment ID `id`. */
async function marked(amount: string, id: string, fees = 1n) {
	const { signed } = await sign(amount);
	const { resource_bounds: bounds } = JSON.parse(signed) as { resource_bounds: ResourceBounds };
	const { l1_gas: gas = { max_amount: '0x0', max_price_per_unit: '0x0' } } = bounds;
	const price = `0x${(BigInt(gas.max_price_per_unit) * fees).toString(16)}`;
	const raised = { ...bounds, l1_gas: { ...gas, max_price_per_unit: price } };
	const change = { resource_bounds: addMark(raised, makeMark('stark', id).value) };
	return await sign(amount, change);
}

test('a payment is confirmed by another transaction with its nonce that is the same payment with other fees', async () => {
	const [mine, other] = [await marked('1', 'a'), await marked('1', 'a', 2n)];
	expect(mine.hash).not.toBe(other.hash);
	const before = await held();
	await settle(other.signed);
	expect(await settle(mine.signed)).toMatchObject({
		status: 'confirmed',
		transactionHash: other.hash,
	});
	expect((await held()) - before).toBe(1);
});

test('a payment has failed once an equal one with another mark has its nonce, which the reason says', async () => {
	const [mine, other] = [await marked('1', 'a'), await marked('1', 'b')];
	const before = await held();
	await settle(other.signed);
	const outcome = await settle(mine.signed);
	expect(outcome).toMatchObject({ status: 'failed', transactionHash: mine.hash });
	expect(outcome.reason).toMatch(/as well: it is another payment, with another Payment ID/);
	expect(outcome.reason).toContain(other.hash);
	expect((await held()) - before).toBe(1);
});

test.each(['getNonce', 'getBlockWithTxs'])(
	'nobody knows what becomes of it where the node has a used nonce, and no answer to %s',
	async (method) => {
		const [mine, other] = [await sign('1'), await sign('3')];
		await settle(other.signed);
		const refusal = { jsonrpc: '2.0', id: 1, error: { code: 24, message: 'Block not found' } };
		await sandbox.fault({
			rpcMethod: `l2_${method}`,
			times: -1,
			do: { patch: { result: undefined, error: refusal.error } },
		});
		const outcome = await settle(mine.signed, 12);
		expect(outcome).toMatchObject({ status: 'unknown', transactionHash: mine.hash });
	},
);

test('a payment for another chain stays unknown there', async () => {
	const { signed, hash } = await sign('1', { chainId: '0x534e5f4d41494e' });
	const outcome = await settle(signed);
	expect(outcome).toMatchObject({ status: 'unknown', transactionHash: hash });
	expect(outcome.reason).toMatch(
		/is for chain SN_MAIN, and the chain node belongs to chain SN_SEPOLIA/,
	);
});
