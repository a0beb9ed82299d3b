import type { INodeParameters } from 'n8n-workflow';
import { keccak256, type Hex, type TransactionSerializable } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { createSandbox } from '../../harness/sandbox.mts';
import { waitUntil } from '../../harness/until.mts';
import { evmRpcAt } from './support/scene.mts';

const sandbox = createSandbox({ chain: true });
let accounts: string[];
const { run, first, calls } = evmRpcAt(sandbox);

beforeAll(async () => {
	accounts = (await sandbox.chain('eth_accounts')) as string[];
});
afterEach(async () => await sandbox.chain('evm_setAutomine', true));

const of = (operation: string) => (parameters: INodeParameters) => ({
	resource: 'transaction',
	operation,
	...parameters,
});
const [get, getReceipt, wait, send] = [of('get'), of('getReceipt'), of('wait'), of('send')];

const to = '0x00000000000000000000000000000000000000aa';
const unknown = `0x${'12'.repeat(32)}`;
const payer = mnemonicToAccount('test test test test test test test test test test test junk', {
	addressIndex: 3,
});

async function nonceOf(address: string): Promise<number> {
	return Number(await sandbox.chain('eth_getTransactionCount', address, 'pending'));
}

async function signed(nonce: number, more: Partial<TransactionSerializable> = {}): Promise<Hex> {
	const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n };
	const usual = { type: 'eip1559', chainId: 31337, to, value: 1n, gas: 21_000n } as const;
	return await payer.signTransaction({ ...usual, ...fees, nonce, ...more } as never);
}

async function pay(): Promise<string> {
	const transaction = { from: accounts[0], to, value: '0xde0b6b3a7640000' };
	return (await sandbox.chain('eth_sendTransaction', transaction)) as string;
}

describe('get and get receipt', () => {
	test('without simplify are as the node gives them, at its root', async () => {
		const transactionHash = await pay();
		expect(await first(get({ transactionHash, simplify: false }))).toEqual(
			await sandbox.chain('eth_getTransactionByHash', transactionHash),
		);
		expect(await first(getReceipt({ transactionHash, simplify: false }))).toEqual(
			await sandbox.chain('eth_getTransactionReceipt', transactionHash),
		);
		expect((await sandbox.record()).map(({ path }) => path)).toEqual(['', '']);
	});

	test('of a hash that nobody knows are a null result', async () => {
		expect(await first(get({ transactionHash: unknown }))).toEqual({ result: null });
		expect(await first(getReceipt({ transactionHash: unknown }))).toEqual({ result: null });
	});

	test('a hash of another length is refused', async () => {
		const error = await first(get({ transactionHash: '0x12' }));
		expect(error).toMatchObject({ message: expect.stringMatching(/^'Transaction Hash' must be/) });
		expect(await sandbox.record()).toEqual([]);
	});
});

describe('wait', () => {
	test('of thirty items asks in one request for all of them, a second apart', async () => {
		await sandbox.chain('evm_setAutomine', false);
		const hashes: string[] = [];
		for (let item = 0; item < 30; item++) hashes.push(await pay());
		const waiting = run(wait({ transactionHash: '={{ $json.hash }}', waitFor: 30 }), {
			items: hashes.map((hash) => ({ json: { hash } })),
		});
		await waitUntil(async () => (await sandbox.record()).length > 2);
		await sandbox.chain('evm_mine');
		const { items } = await waiting;
		expect(items.map(({ json }) => json.transactionHash)).toEqual(hashes);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(hashes.map((_, item) => ({ item })));
		const record = await sandbox.record();
		const seconds = ((record.at(-1)?.at ?? 0) - (record[0]?.at ?? 0)) / 1000;
		// The operation sends its requests once a second. On a busy machine, it may send them late.
		expect(record.length - 1).toBeLessThanOrEqual(2 * seconds + 1);
		// The node first asks for 30 receipts, then for the senders of the 30 transactions. Each further round has the
		// 30 receipts and the account's nonce.
		expect(record.map(({ calls }) => calls)).toEqual([30, 30, ...record.slice(2).map(() => 31)]);
	});

	test('shows a transaction that was reverted, which is no failure of waiting', async () => {
		const transactionHash = await sandbox.chain('eth_sendTransaction', {
			from: accounts[0],
			gas: '0x186a0',
			data: '0x60006000fd',
		});
		expect(await first(wait({ transactionHash: String(transactionHash) }))).toMatchObject({
			status: 'reverted',
		});
	});
});

describe('send', () => {
	test('of what is in a block already succeeds; of another one with its nonce it fails', async () => {
		const nonce = await nonceOf(payer.address);
		const transaction = await signed(nonce);
		const transactionHash = keccak256(transaction);
		expect(await first(send({ signedTransaction: transaction }))).toEqual({
			result: transactionHash,
			transactionHash,
			wasKnown: false,
		});
		expect(await first(send({ signedTransaction: transaction }))).toMatchObject({
			transactionHash,
			wasKnown: true,
		});
		const other = await signed(nonce, { value: 2n });
		expect(await first(send({ signedTransaction: other }))).toMatchObject({
			message: expect.stringMatching(/nonce too low/i),
		});
	});

	test('of the same one by five runs at once says to one of them that it was new', async () => {
		const signedTransaction = await signed(await nonceOf(payer.address));
		const sending = async () => await run(send({ signedTransaction }));
		const results = await Promise.all(Array.from({ length: 5 }, sending));
		const known = results.map(({ items }) => items[0]?.json.wasKnown);
		expect(known.toSorted()).toEqual([false, true, true, true, true]);
	});

	test('of one whose answer is lost is a success, and whose request brought it is open', async () => {
		const signedTransaction = await signed(await nonceOf(payer.address));
		await sandbox.fault({ rpcMethod: 'eth_sendRawTransaction', do: { reset: 'after' } });
		expect(await first(send({ signedTransaction }))).toMatchObject({ wasKnown: true });
		expect(await sendings()).toBe(1);
	});

	const sendings = async () =>
		(await calls())
			.flatMap((request) => request.calls)
			.filter(({ method }) => method === 'eth_sendRawTransaction').length;

	const other = `0x${'cd'.repeat(32)}`;

	test('sends nothing after one whose hash the node gives as another, and says that its outcome is unknown', async () => {
		await sandbox.fault({
			rpcMethod: 'eth_sendRawTransaction',
			skip: 1,
			do: { patch: { result: other } },
		});
		const nonce = await nonceOf(payer.address);
		const transactions = await Promise.all([0, 1, 2].map(async (item) => signed(nonce + item)));
		const { error } = await run(send({ signedTransaction: '={{ $json.signed }}' }), {
			items: transactions.map((one) => ({ json: { signed: one } })),
		});
		expect(error?.message).toContain(other);
		expect(error?.description?.match(/may still have been carried out/g)).toHaveLength(1);
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(error?.description).toContain(`Carried out: item 0 (${keccak256(transactions[0]!)}).`);
		expect(await sendings()).toBe(2);
		expect(await nonceOf(payer.address)).toBe(nonce + 2);
	});

	test.each([['0x'], ['0x12'], [unknown], ['hello'], [`0x80${'00'.repeat(100)}`]])(
		'%s is no signed transaction',
		async (signedTransaction) => {
			expect(await first(send({ signedTransaction }))).toMatchObject({
				message: expect.stringMatching(/^'Signed Transaction' must be/),
			});
			expect(await sandbox.record()).toEqual([]);
		},
	);
});
