import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { openExample } from '../../../test/harness/exampleWorkflow.mts';
import { createSandbox } from '../../../test/harness/sandbox.mts';
import { Pay } from '../../nodes/Pay/Pay.node';
import { credentialTypes } from '../support/signerNode.mts';

/** Tests that the example workflow pays nobody twice, even if answers are lost. */

const sandbox = createSandbox({ chain: true });
let example: ReturnType<typeof openExample>;

beforeEach(() => {
	example = openExample('pay-a-list', {
		own: { 'n8n-nodes-chain-infra-signer.pay': new Pay() },
		credentials: { ...sandbox.credentials.token, ...sandbox.credentials.signerKey },
		credentialTypes,
	});
});

interface Payment {
	readonly invoice: string;
	readonly address: string;
	readonly amount: string;
}

const pay = async (payments: readonly Payment[]) =>
	await example.run({ payments: payments as never, table: 'Paid' });

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
const statuses = () => example.table.map(({ status }) => status);

test('each line is paid once, however often it is run and however often it is in the list', async () => {
	const payments = invoices('0.01', '0.02', '0.03');
	expect(await pay([...payments, ...payments.slice(1)])).toBeUndefined();
	expect(statuses()).toEqual(['confirmed', 'confirmed', 'confirmed']);
	expect(await paid(payments)).toEqual(wanted(payments));
	await sandbox.reset();
	expect(await pay(payments)).toBeUndefined();
	expect(await sendings()).toEqual([]);
	expect(await paid(payments)).toEqual(wanted(payments));
});

test('what was not signed says why, and is paid by the next run', async () => {
	const [good, bad] = invoices('0.01', '0.02') as [Payment, Payment];
	expect(await pay([good, { ...bad, address: '0x12' }])).toBeUndefined();
	expect(statuses()).toEqual(['confirmed', 'not paid']);
	expect(String(example.table[1]?.reason)).toMatch(/To/);
	await sandbox.reset();
	expect(await pay([good, bad])).toBeUndefined();
	expect(statuses()).toEqual(['confirmed', 'confirmed']);
	expect(await sendings()).toHaveLength(1);
	expect(await paid([good, bad])).toEqual(wanted([good, bad]));
});

test('a line whose run was killed in between is not paid again', async () => {
	const payments = invoices('0.01');
	example.table.push({ invoice: payments[0]?.invoice, status: 'paying' });
	expect(await pay(payments)).toBeUndefined();
	expect(await sendings()).toEqual([]);
	expect(statuses()).toEqual(['paying']);
});

test('what may be on its way is sent again as it was, before a new one', async () => {
	const payments = invoices('0.01');
	expect(await pay(payments)).toBeUndefined();
	const [row] = example.table as [(typeof example.table)[number]];
	const { signedTransaction } = row;
	Object.assign(row, { status: 'unknown', transaction: '', fee: '' });
	await sandbox.reset();

	const more = [...payments, { ...invoices('0.04')[0], invoice: 'new' } as Payment];
	expect(await pay(more)).toBeUndefined();
	expect(statuses()).toEqual(['confirmed', 'confirmed']);
	expect(example.table[0]).toMatchObject({
		signedTransaction,
		fee: expect.stringMatching(/^0\.0/),
	});
	expect(await paid(more)).toEqual(wanted(more));
});
