import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { parseTransaction, type Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { MNEMONIC } from '../../cases/case.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { waitUntil } from '../../harness/until.mts';
import { evmRpcAt } from './support/scene.mts';

const sandbox = createSandbox({ chain: true });
const { run, first: readFirst, calls } = evmRpcAt(sandbox);
const first = async (parameters: INodeParameters) => (await readFirst(parameters)) as IDataObject;
const account = mnemonicToAccount(MNEMONIC, { addressIndex: 5 });
const payee = '0x00000000000000000000000000000000000000A5';

beforeEach(async () => await sandbox.chain('evm_setAutomine', false));
afterEach(async () => {
	await sandbox.chain('evm_mine');
	await sandbox.chain('evm_setAutomine', true);
});

const transaction = (operation: string, more: INodeParameters): INodeParameters => ({
	resource: 'transaction',
	operation,
	...more,
});

async function sign({ unsignedTransaction }: IDataObject): Promise<Hex> {
	const unsigned = parseTransaction(unsignedTransaction as Hex);
	return await account.signTransaction(unsigned as never);
}

/** Signs the prepared transaction, sends it, and returns its hash. */
async function send(prepared: IDataObject): Promise<string> {
	const signedTransaction = await sign(prepared);
	const { transactionHash } = await first(transaction('send', { signedTransaction }));
	return String(transactionHash);
}

const pay = async (options: INodeParameters = {}) =>
	await send(
		await first(
			transaction('prepare', { from: account.address, to: payee, amount: '0.5', options }),
		),
	);

const replacement = (transactionHash: string, more: INodeParameters = {}) =>
	transaction('prepare', { from: account.address, kind: 'replacement', transactionHash, ...more });

const wait = (transactionHash: string) => transaction('wait', { transactionHash, waitFor: 20 });

/** Starts to wait for a transaction, and returns as soon as the n8n node has asked the chain for the transaction. */
async function waitFor(transactionHash: string) {
	const waiting = run(wait(transactionHash));
	const asked = async () => JSON.stringify(await calls()).split('eth_getTransactionByHash').length;
	const before = await asked();
	await waitUntil(async () => (await asked()) > before);
	return { waiting };
}

const holding = async () => BigInt(String(await sandbox.chain('eth_getBalance', payee, 'latest')));

test.each([{}, { gasPrice: '3 gwei' }])(
	'a payment that waits is sped up, and Wait says at once which of the two won: %j',
	async (options) => {
		const before = await holding();
		const slow = await pay(options);
		const { waiting } = await waitFor(slow);
		const fast = await send(await first(replacement(slow, { speed: 'fast' })));
		await sandbox.chain('evm_mine');
		const { error } = await waiting;
		expect(error?.message).toMatch(
			`The transaction was replaced: ${fast} has the same number (nonce)`,
		);
		expect(await first(wait(fast))).toMatchObject({ status: 'success' });
		expect((await holding()) - before).toBe(5n * 10n ** 17n);
		expect((await run(replacement(slow))).error?.message).toMatch(
			/^(The chain node does not know|Another transaction with the same number)/,
		);
		expect((await run(replacement(fast))).error?.message).toMatch(/is in block \d+ already$/);
	},
);

test('a payment that waits is cancelled: nobody gets anything', async () => {
	const before = await holding();
	const slow = await pay();
	const { waiting } = await waitFor(slow);
	const cancel = await send(await first(replacement(slow, { replaceBy: 'cancel' })));
	await sandbox.chain('evm_mine');
	expect((await waiting).error?.message).toMatch(`The transaction was replaced: ${cancel}`);
	expect(await holding()).toBe(before);
});

test('Send reports a replacement that comes too late', async () => {
	const slow = await pay();
	const made = await first(replacement(slow, { replaceBy: 'cancel' }));
	await sandbox.chain('evm_mine');
	const signedTransaction = await sign(made);
	const { error } = await run(transaction('send', { signedTransaction }));
	expect(error?.description).toContain('the transaction to be replaced came first');
	expect(await first(wait(slow))).toMatchObject({ status: 'success' });
});
