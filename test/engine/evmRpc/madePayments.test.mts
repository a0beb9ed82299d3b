import { createWalletClient, custom, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { readMadePayments } from '../../../nodes/core/evm/madePayments';
import { MNEMONIC } from '../../cases/case.mts';
import { deployContract } from '../../harness/contract.mts';
import { TRIES_ALL } from '../../harness/caseCount.mts';
import { createRandom } from '../../harness/random.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { createChain } from '../../unit/support/chains.mts';

/** These tests make payments that viem signs and sends, on a real chain whose blocks are some seconds apart. */

const sandbox = createSandbox({ chain: true });
const account = mnemonicToAccount(MNEMONIC, { addressIndex: 6 });
const self = account.address.toLowerCase();
const payees = [0xa1, 0xa2, 0xa3].map((one) => `0x${one.toString(16).padStart(40, '0')}` as const);
const wallet = createWalletClient({
	account,
	chain: foundry,
	transport: custom({
		request: async ({ method, params }) =>
			await sandbox.chain(String(method), ...((params ?? []) as unknown[])),
	}),
});

let coin: Awaited<ReturnType<typeof deployContract>>;
let token: Hex;

beforeAll(async () => {
	coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	token = coin.address.toLowerCase() as Hex;
	const data = coin.data('transfer(address,uint256)', BigInt(self), 1000n);
	await sandbox.mined({ from: coin.owner, to: token, data });
	await sandbox.chain('evm_setAutomine', false);
});

interface Paid {
	readonly hash: string;
	readonly to: string;
	readonly token: string | null;
	readonly value: bigint;
}

const refuse = (error: Error) => {
	throw new RequestFailure(error.message, { answer: { message: error.message } });
};

/** Opens the chain, records the methods that are called, and lets a test replace answers. */
function openChain(answer = (_method: string, _params: readonly unknown[]): unknown => undefined) {
	const methods: string[] = [];
	const chain = createChain(async (method, params) => {
		methods.push(method);
		return (await answer(method, params)) ?? (await sandbox.chain(method, ...params).catch(refuse));
	});
	return { chain, methods };
}

const read = async (since: number, tokens: readonly string[] = [token]) =>
	await readMadePayments(openChain().chain, account.address, { since, tokens });

const format = ({ hash, to, token: of, value }: Paid) => [hash, to, of, value].join(' ');
const sorted = (payments: readonly Paid[]) => payments.map(format).sort();

let nonce: number | undefined;
async function send(transaction: { to?: Hex; value?: bigint; data?: Hex }): Promise<Hex> {
	nonce ??= Number(await sandbox.chain('eth_getTransactionCount', self, 'latest'));
	return await wallet.sendTransaction({
		...transaction,
		nonce: nonce++,
		gas: 200_000n,
		maxFeePerGas: 3_000_000_000n,
		maxPriorityFeePerGas: 1_000_000_000n,
	});
}

const payCoins = async (to: Hex, value: bigint): Promise<Paid> => ({
	hash: await send({ to, value }),
	to,
	token: null,
	value,
});

const transfer = (to: Hex, value: bigint) =>
	encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] });

const payTokens = async (to: Hex, value: bigint): Promise<Paid> => ({
	hash: await send({ to: token, data: transfer(to, value) }),
	to,
	token,
	value,
});

/**
 * Mines the pending transactions in a block that is the given number of seconds later. Returns the time of the block
 * in milliseconds.
 */
async function mine(seconds = 3): Promise<number> {
	await sandbox.chain('evm_increaseTime', seconds);
	await sandbox.chain('evm_mine');
	const { timestamp } = (await sandbox.chain('eth_getBlockByNumber', 'latest', false)) as {
		timestamp: Hex;
	};
	return Number(timestamp) * 1000;
}

const [BLOCKS, MOMENTS] = TRIES_ALL ? [30, 12] : [15, 6];

test('of random payments, exactly those in the window are found, and none that failed', async () => {
	const random = createRandom(61);
	const made: Array<Paid & { readonly time: number }> = [];
	const times: number[] = [];
	for (let block = 0; block < BLOCKS; block++) {
		const paid: Paid[] = [];
		for (let left = random.upTo(2); left > 0; left--) {
			const [to, value] = [random.oneOf(payees), BigInt(1 + random.upTo(3))];
			const kind = random.upTo(4);
			if (kind <= 1) paid.push(await payCoins(to, value));
			else if (kind <= 3) paid.push(await payTokens(to, value));
			// This transfer fails, because it sends more tokens than the account has.
			else await send({ to: token, data: transfer(to, 10n ** 9n) });
			// This payment fails, because the token contract refuses coins.
			if (kind === 0) await send({ to: token, value });
		}
		const time = await mine(1 + random.upTo(20));
		times.push(time);
		for (const one of paid) made.push({ ...one, time });
	}
	const moments = Array.from({ length: MOMENTS }, () => random.oneOf(times) + random.upTo(1) * 400);
	for (const since of [0, ...moments]) {
		const found = await read(since);
		expect(found.since).toBe(since);
		expect(sorted(found.payments)).toEqual(sorted(made.filter(({ time }) => time >= since)));
		for (const { hash, time } of found.payments)
			expect(made.find((one) => one.hash === hash)).toMatchObject({ time });
	}
});

test('what waits is found, coins and tokens, and is there once when it is in a block', async () => {
	const since = (await mine()) + 1000;
	const paid = [await payCoins(payees[0]!, 5n), await payTokens(payees[1]!, 6n)];
	const waiting = await read(since);
	expect(sorted(waiting.payments)).toEqual(sorted(paid));
	expect(waiting.since).toBe(since);
	expect(waiting.payments.every(({ time }) => Math.abs(time - Date.now()) < 60_000)).toBe(true);
	await mine();
	expect(sorted((await read(since)).payments)).toEqual(sorted(paid));
});

test('what is mined while it is read is found once', async () => {
	const since = (await mine()) + 1000;
	const paid = [await payCoins(payees[0]!, 5n), await payTokens(payees[1]!, 6n)];
	let isMined = false;
	const { chain } = openChain(async (method, [block]) => {
		if (method !== 'eth_getBlockByNumber' || block !== 'latest' || isMined) return undefined;
		isMined = true;
		await new Promise((resolve) => setTimeout(resolve, 20));
		await mine();
		return undefined;
	});
	const found = await readMadePayments(chain, self, { since, tokens: [token] });
	expect(isMined).toBe(true);
	expect(sorted(found.payments)).toEqual(sorted(paid));
});

test('of what a contract moves, each transfer is there, and none without the token', async () => {
	const many = coin.data('transferMany(address,uint256)', BigInt(payees[2]!), 3n) as Hex;
	const since = (await mine()) + 1000;
	const hash = await send({ to: token, data: many });
	await mine();
	const to = payees[2]!;
	const wanted = [1n, 2n, 3n].map((value) => ({ hash, to, token, value }));
	expect(sorted((await read(since)).payments)).toEqual(sorted(wanted));
	expect((await read(since, [])).payments).toEqual([]);
});

test('a quiet account takes few calls', async () => {
	const since = (await mine()) + 1000;
	for (let block = 0; block < 60; block++) await mine(12);
	const { chain, methods } = openChain();
	const found = await readMadePayments(chain, self, { since, tokens: [token] });
	expect(found).toEqual({ payments: [], since, hidesWaiting: false });
	expect(methods.length).toBeLessThan(25);
});

test('a node without old state and with few blocks of logs says from when on all payments are known', async () => {
	const since = (await mine()) + 1000;
	await payCoins(payees[0]!, 7n);
	const first = await mine(12);
	for (let block = 0; block < 70; block++) await mine(12);
	const recent = [await payCoins(payees[1]!, 8n), await payTokens(payees[1]!, 9n)];
	await mine(12);
	const head = Number(await sandbox.chain('eth_blockNumber'));
	const { chain } = openChain((method, params) => {
		if (method === 'eth_getTransactionCount' && Number(params[1]) < head - 64)
			throw new RequestFailure('missing trie node', { answer: { code: -32000 } });
		const [{ fromBlock, toBlock } = {}] = params as Array<Record<string, string>>;
		if (method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 10)
			throw new RequestFailure('query exceeds max block range 10', { answer: { code: -32005 } });
		return undefined;
	});
	const found = await readMadePayments(chain, self, { since, tokens: [token] });
	expect(sorted(found.payments)).toEqual(sorted(recent));
	expect(found.since).toBeGreaterThan(first);
	expect(found.since).toBeLessThan(first + 20 * 12_000);
});
