import { randomBytes } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { Stark } from '../../nodes/Stark/Stark.node';
import { signPreparedInvoke, type PreparedInvoke } from '../cases/starkSigning.mts';
import { runNode } from '../harness/engine.mts';
import { openExample } from '../harness/exampleWorkflow.mts';
import { createStarkChain, padFelt } from '../harness/starkChain.mts';

/** The example on a STARK rollup pays nobody twice, whatever happens to an answer. */

const { sandbox, account, accountOf, addBlocks, contractOf } = createStarkChain();
let example: ReturnType<typeof openExample>;

beforeEach(() => {
	example = openExample('stark-pay-a-list', {
		own: { 'n8n-nodes-chain-infra.stark': new Stark() },
		credentials: sandbox.credentials.token,
		sign: (transaction) => sign(transaction as PreparedInvoke),
	});
});

function sign(prepared: PreparedInvoke): IDataObject {
	const { signed, hash } = signPreparedInvoke(prepared, account(0).privateKey);
	return { transaction: JSON.parse(signed) as IDataObject, transactionHash: hash };
}

interface Payment {
	readonly invoice: string;
	readonly address: string;
	readonly amount: string;
}

const buildInvoices = (...amounts: string[]): Payment[] =>
	amounts.map((amount) => ({
		invoice: randomBytes(8).toString('hex'),
		amount,
		address: padFelt(`0x${randomBytes(31).toString('hex')}`),
	}));

const pay = async (payments: readonly Payment[]) =>
	await example.run({
		from: accountOf(0),
		token: contractOf('newToken'),
		payments: payments as never,
		table: 'Paid',
	});

async function readPaid(payments: readonly Payment[]): Promise<unknown[]> {
	const { items } = await runNode({
		node: new Stark(),
		parameters: {
			resource: 'token',
			operation: 'getBalance',
			token: contractOf('newToken'),
			owner: '={{ $json.address }}',
		},
		credentials: sandbox.credentials.token,
		items: payments.map(({ address }) => ({ json: { address } })),
	});
	return items.map(({ json }) => json.amount);
}

const SENDING = 'addInvokeTransaction';

const readSendings = async () =>
	(await sandbox.record())
		.flatMap(({ body }) => [body].flat() as Array<{ method: string }>)
		.filter(({ method }) => method.endsWith(SENDING));

const getStatuses = () => example.table.map(({ status }) => status);

test('each line is paid once, however often it is run', async () => {
	const payments = buildInvoices('0.5', '25', '0.000001');
	expect(await pay(payments)).toBeUndefined();
	expect(getStatuses()).toEqual(['paid', 'paid', 'paid']);
	expect(example.table.map(({ fee }) => Number(fee) > 0)).toEqual([true, true, true]);
	const sent = (await readSendings()).length;
	expect(await pay(payments)).toBeUndefined();
	expect(await readSendings()).toHaveLength(sent);
	expect(await readPaid(payments)).toEqual(['0.5', '25', '0.000001']);
});

test.each([0, 1, 2])(
	'where line %d was turned away, the same transactions are sent again, before a new one',
	async (line) => {
		const payments = buildInvoices('0.5', '25', '1');
		const body = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'turned away' } };
		const rpcMethod = `l2_${SENDING}`;
		await sandbox.fault({ rpcMethod, skip: line, do: { status: 200, body } });
		expect(await pay(payments)).toMatch(/turned away/);
		expect(getStatuses()).toEqual(['signed', 'signed', 'signed']);
		const signed = example.table.map(({ signedTransaction }) => signedTransaction);
		// More blocks follow than Send looks through.
		await addBlocks(20);

		const more = [...payments, ...buildInvoices('2')];
		expect(await pay(more)).toBeUndefined();
		expect(getStatuses()).toEqual(['paid', 'paid', 'paid', 'paid']);
		expect(example.table.slice(0, 3).map(({ signedTransaction }) => signedTransaction)).toEqual(
			signed,
		);
		const [first = 0] = example.table.map(({ nonce }) => Number(nonce));
		expect(example.table.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 3].map((at) => first + at));
		expect(await readPaid(more)).toEqual(['0.5', '25', '1', '2']);
	},
);
