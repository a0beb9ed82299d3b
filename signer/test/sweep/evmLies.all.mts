import { domainSeparator, encodeAbiParameters, toHex } from 'viem';
import { deployDollar, type Dollar } from '../../../test/harness/dollars.mts';
import { createSandbox, TEST_ADDRESS } from '../../../test/harness/sandbox.mts';
import { answerCalls, createTestServer, type RpcCall } from '../../../test/harness/server.mts';
import { paid } from '../pay/payNode.mts';
import { deposit, DESTINATION, readChain, swept } from './sweepNode.mts';

/**
 * Tests of sweeps of tokens by signed authorizations (EIP-3009), for which the chain node lies. The tokens must reach
 * the destination or stay where they are. Balances are read from the chain itself.
 */

const sandbox = createSandbox({ chain: true });
const chain = readChain(sandbox);

/** Undefined leaves the true answer. */
type Lie = (call: RpcCall, tell: () => Promise<unknown>) => Promise<unknown>;
const honest: Lie = async (_, tell) => await tell();
let lie: Lie = honest;
beforeEach(() => (lie = honest));

const node = createTestServer(async (received, response) => {
	const calls = Array.isArray(received.json) ? received.json : [received.json];
	const results = new Map<number, object>();
	for (const call of calls as readonly RpcCall[]) {
		const tell = async () => await sandbox.chain(call.method, ...call.params);
		const told = await lie(call, tell).then(
			(result) => ({ result }),
			(failure: Error) => ({ error: JSON.parse(failure.message) as object }),
		);
		results.set(call.id, told);
	}
	answerCalls(received, response, ({ id }) => results.get(id) ?? {});
});

const atLiar = () =>
	({
		...sandbox,
		credentials: { ...sandbox.credentials, token: node.credentials.token },
	}) as typeof sandbox;

let used = 0;

async function fund(value = 5_000_000n) {
	const dollar = await deployDollar(sandbox);
	const index = used++;
	await dollar.give(deposit(index), value);
	return { dollar, index };
}

const sweep = async (dollar: Dollar, parameters: object) =>
	await swept(
		atLiar(),
		{ token: dollar.address, ...parameters },
		{ deposits: { tokens: dollar.address } },
	);

/** Creates a lie of the chain node: it answers calls of the function `signature` with the given answer. */
const answering =
	(dollar: Dollar, signature: string, answer: () => string): Lie =>
	async ({ method, params }, tell) => {
		const [call] = params as readonly [{ to?: string; data?: string }];
		const selector = dollar.data(signature as never).slice(0, 10);
		const isAsked = method === 'eth_call' && call.data?.startsWith(selector);
		return isAsked ? answer() : await tell();
	};

const word = (value: bigint) => toHex(value, { size: 32 });

test.each<[string, (dollar: Dollar) => Lie, object]>([
	[
		'all nonces are used',
		(dollar) => answering(dollar, 'authorizationState(address,bytes32)', () => word(1n)),
		{ status: 'confirmed', fundingAmount: expect.stringMatching(/^0\.0/) },
	],
	[
		'the token is signed for by another name',
		(dollar) => {
			const name = 'Another Dollar';
			const domain = { ...dollar.domain, name };
			const separator = domainSeparator({ domain });
			const byName = answering(dollar, 'name()', () =>
				encodeAbiParameters([{ type: 'string' }], [name]),
			);
			const bySeparator = answering(dollar, 'DOMAIN_SEPARATOR()', () => separator);
			return async (call, tell) => await byName(call, async () => await bySeparator(call, tell));
		},
		{ status: 'confirmed', fundingAmount: expect.stringMatching(/^0\.0/) },
	],
	[
		'the address has more',
		(dollar) => answering(dollar, 'balanceOf(address)', () => word(9_000_000n)),
		{ status: 'failed', transactionHash: null, signedTransaction: null },
	],
	[
		'the address has less',
		(dollar) => answering(dollar, 'balanceOf(address)', () => word(2_000_000n)),
		{ status: 'confirmed', value: '2000000', fundingAmount: null },
	],
	[
		'it needs little gas',
		() =>
			async ({ method, params }, tell) => {
				const [call] = params as readonly [{ data?: string }];
				const isCarried = method === 'eth_estimateGas' && call.data?.startsWith('0xe3ee160e');
				return isCarried ? '0x9c40' : await tell();
			},
		{ status: 'failed', transactionHash: expect.stringMatching(/^0x/), fundingAmount: null },
	],
	[
		'every authorization would fail',
		() =>
			async ({ method, params }, tell) => {
				const [call] = params as readonly [{ data?: string }];
				if (method === 'eth_estimateGas' && call.data?.startsWith('0xe3ee160e'))
					throw new Error(JSON.stringify({ code: 3, message: 'execution reverted' }));
				return await tell();
			},
		{ status: 'confirmed', fundingAmount: expect.stringMatching(/^0\.0/) },
	],
])('%s: tokens go to the destination alone', async (_, build, expected) => {
	const { dollar, index } = await fund();
	lie = build(dollar);
	const [item] = await sweep(dollar, { indexes: index });
	expect(item).toMatchObject({ to: DESTINATION, depositIndex: index, ...expected });
	const arrived = await dollar.readBalance(DESTINATION);
	expect((await dollar.readBalance(deposit(index))) + arrived).toBe(5_000_000n);
	expect(arrived).toBe(item?.status === 'confirmed' ? BigInt(String(item.value)) : 0n);
});

test('a nonce that is used is told as free: the address is topped up, and all moves once', async () => {
	const { dollar, index } = await fund();
	await sweep(dollar, { indexes: index });
	await dollar.give(deposit(index), 7n);
	lie = answering(dollar, 'authorizationState(address,bytes32)', () => word(0n));
	const [item] = await sweep(dollar, { indexes: index });
	expect(item).toMatchObject({ status: 'confirmed', fundingAmount: expect.any(String) });
	expect(await dollar.readBalance(DESTINATION)).toBe(5_000_007n);
});

test('of two executions that do not see each other, one moves the tokens, and both say so', async () => {
	const { dollar, index } = await fund();
	const sent = await chain.sent(TEST_ADDRESS);
	await sandbox.chain('evm_setAutomine', false);
	try {
		const [first] = await sweep(dollar, { indexes: index, waitFor: 0 });
		// The node hides pending transactions, like a node that has not heard of them, and returns another estimate of gas.
		lie = async ({ method, params }, tell) => {
			if (method === 'eth_getTransactionCount')
				return await sandbox.chain(method, params[0], 'latest');
			return method === 'eth_estimateGas'
				? toHex(BigInt(String(await tell())) + 5000n)
				: await tell();
		};
		const [second] = await sweep(dollar, { indexes: index, waitFor: 0 });
		expect(second).toMatchObject({ status: 'unknown', signedTransaction: expect.any(String) });
		expect(second?.signedTransaction).not.toBe(first?.signedTransaction);
		await sandbox.chain('evm_mine');
		await sandbox.chain('evm_setAutomine', true);
		const ends = [];
		for (const { signedTransaction } of [first, second] as Array<{ signedTransaction: string }>) {
			const given = { operation: 'finish', chain: 'evm', signedTransaction };
			ends.push((await paid(sandbox, given))[0]);
		}
		expect(ends).toMatchObject([{ status: 'confirmed' }, { status: 'confirmed' }]);
		expect(ends[0]?.transactionHash).toBe(ends[1]?.transactionHash);
	} finally {
		await sandbox.chain('evm_setAutomine', true);
	}
	expect(await dollar.readBalance(DESTINATION)).toBe(5_000_000n);
	expect((await chain.sent(TEST_ADDRESS)) - sent).toBe(1n);
});
