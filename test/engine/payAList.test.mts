import type { IDataObject } from 'n8n-workflow';
import { keccak256, parseEther, type Hex } from 'viem';
import { generatePrivateKey, mnemonicToAccount, privateKeyToAddress } from 'viem/accounts';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { openExample } from '../harness/exampleWorkflow.mts';
import { createSandbox } from '../harness/sandbox.mts';

/** The example pays nobody twice, whatever happens to an answer. */

const payer = mnemonicToAccount('test test test test test test test test test test test junk', {
	addressIndex: 4,
});

const sandbox = createSandbox({ chain: true });
let example: ReturnType<typeof openExample>;

beforeEach(() => {
	example = openExample('pay-a-list', {
		own: { 'n8n-nodes-chain-infra.evmRpc': new EvmRpc() },
		credentials: sandbox.credentials.token,
		sign: async (transaction) => await sign(transaction as Record<string, Hex>),
	});
});

async function sign({ to, ...rest }: Record<string, Hex>): Promise<IDataObject> {
	const numbers = Object.entries(rest).filter(([name]) => name !== 'data' && name !== 'from');
	const signedTransaction = await payer.signTransaction({
		...Object.fromEntries(numbers.map(([name, value]) => [name, BigInt(value)])),
		type: 'eip1559',
		to,
		chainId: Number(rest.chainId),
		nonce: Number(rest.nonce),
	} as never);
	return { signedTransaction, transactionHash: keccak256(signedTransaction) };
}

interface Payment {
	readonly invoice: string;
	readonly address: string;
	readonly amount: string;
}

const pay = async (payments: readonly Payment[]) =>
	await example.run({ from: payer.address, payments: payments as never, table: 'Paid' });

const invoices = (...amounts: string[]): Payment[] =>
	amounts.map((amount, at) => ({
		invoice: `2026-${at}`,
		amount,
		address: privateKeyToAddress(generatePrivateKey()),
	}));

const paid = async (payments: readonly Payment[]) =>
	await Promise.all(
		payments.map(async ({ address }) =>
			BigInt(String(await sandbox.chain('eth_getBalance', address, 'latest'))),
		),
	);
const wanted = (payments: readonly Payment[]) => payments.map(({ amount }) => parseEther(amount));
const sendings = async () =>
	(await sandbox.record())
		.flatMap(({ body }) => [body].flat() as Array<{ method: string; params: unknown[] }>)
		.filter(({ method }) => method === 'eth_sendRawTransaction')
		.map(({ params }) => params[0]);

test('each line is paid once, however often it is run', async () => {
	const payments = invoices('0.01', '0.02', '0.03');
	expect(await pay(payments)).toBeUndefined();
	expect(example.table.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
	expect(await paid(payments)).toEqual(wanted(payments));
	await sandbox.reset();
	expect(await pay(payments)).toBeUndefined();
	expect(await sendings()).toEqual([]);
	expect(await paid(payments)).toEqual(wanted(payments));
});

test.each([0, 1, 2])(
	'where it is not clear whether line %d arrived, the same transactions are sent again, before a new one',
	async (line) => {
		const payments = invoices('0.01', '0.02', '0.03');
		const result = `0x${'12'.repeat(32)}`;
		const rpcMethod = 'eth_sendRawTransaction';
		await sandbox.fault({ rpcMethod, skip: line, do: { patch: { result } } });
		expect(await pay(payments)).toMatch(/^The node says that it took another transaction/);
		expect(example.table.map(({ status }) => status)).toEqual(['signed', 'signed', 'signed']);
		const signed = example.table.map(({ signedTransaction }) => signedTransaction);
		await sandbox.reset();

		const more = [...payments, ...invoices('0.04').map((one) => ({ ...one, invoice: 'new' }))];
		expect(await pay(more)).toBeUndefined();
		expect((await sendings()).slice(0, 3)).toEqual(signed);
		expect(await sendings()).toHaveLength(4);
		expect(example.table.map(({ status }) => status)).toEqual(Array(4).fill('success'));
		const [first = 0] = example.table.map(({ nonce }) => Number(nonce));
		expect(example.table.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 3].map((at) => first + at));
		expect(await paid(more)).toEqual(wanted(more));
	},
);
