import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowExecute } from 'n8n-core';
import {
	Workflow,
	type IConnections,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type IWorkflowSettings,
} from 'n8n-workflow';
import { keccak256, parseEther, type Hex } from 'viem';
import { generatePrivateKey, mnemonicToAccount, privateKeyToAddress } from 'viem/accounts';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { createEngine } from '../harness/engineServices.mts';
import { createSandbox } from '../harness/sandbox.mts';

/** Runs the example in n8n's engine, with stand-ins for n8n's own nodes: whatever happens to an answer, nobody is paid twice. */

const payer = mnemonicToAccount('test test test test test test test test test test test junk', {
	addressIndex: 4,
});

const file = join(__dirname, '..', '..', 'examples', 'pay-a-list.json');
const example = JSON.parse(readFileSync(file, 'utf8')) as {
	readonly name: string;
	readonly nodes: INode[];
	readonly connections: IConnections;
	readonly settings: IWorkflowSettings;
};

const sandbox = createSandbox({ chain: true });
let table: IDataObject[] = [];

beforeEach(() => void (table = []));

interface Condition {
	readonly keyName: string;
	readonly keyValue: unknown;
}

type Play = (
	parameter: (name: string) => unknown,
	json: IDataObject,
) => IDataObject[] | Promise<IDataObject[]>;

/** Filters the rows that meet the conditions. */
function matching(parameter: (name: string) => unknown): IDataObject[] {
	const conditions = parameter('filters.conditions') as Condition[];
	const meets = (row: IDataObject) => (one: Condition) => row[one.keyName] === one.keyValue;
	return parameter('matchType') === 'anyCondition'
		? table.filter((row) => conditions.some(meets(row)))
		: table.filter((row) => conditions.every(meets(row)));
}

/** Each of these does with an item what a node of another package does. */
const plays: Readonly<Record<string, Play>> = {
	'n8n-nodes-base.manualTrigger': () => [{}],
	'n8n-nodes-base.set': (parameter) => {
		const all = parameter('assignments.assignments') as Array<{ name: string; value: never }>;
		return [Object.fromEntries(all.map(({ name, value }) => [name, value]))];
	},
	'n8n-nodes-base.splitOut': (parameter, json) =>
		json[String(parameter('fieldToSplitOut'))] as IDataObject[],
	'n8n-nodes-base.dataTable': (parameter, json) => {
		const operation = parameter('operation');
		if (operation === 'create') return [{ name: parameter('tableName') as string }];
		const rows = matching(parameter);
		if (operation === 'rowNotExists') return rows.length > 0 ? [] : [json];
		if (operation === 'get') {
			const column = String(parameter('orderByColumn'));
			return rows.sort((one, other) => Number(one[column]) - Number(other[column]));
		}
		const values = parameter('columns.value') as IDataObject;
		if (rows.length === 0 && operation === 'upsert') return [table[table.push(values) - 1] ?? {}];
		return rows.map((row) => Object.assign(row, values));
	},
	'n8n-nodes-chain-infra-signer.signer': async (parameter) => {
		const { to, ...rest } = parameter('transaction') as Record<string, Hex>;
		const numbers = Object.entries(rest).filter(([name]) => name !== 'data' && name !== 'from');
		const signedTransaction = await payer.signTransaction({
			...Object.fromEntries(numbers.map(([name, value]) => [name, BigInt(value)])),
			type: 'eip1559',
			to,
			chainId: Number(rest.chainId),
			nonce: Number(rest.nonce),
		} as never);
		return [{ signedTransaction, transactionHash: keccak256(signedTransaction) }];
	},
};

function steps(): INode[] {
	return example.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
}

/** A stand-in for a node of n8n, with any parameters. */
function played(type: string, play: Play): INodeType {
	const names = steps().flatMap((one) => (one.type === type ? Object.keys(one.parameters) : []));
	return {
		description: {
			displayName: type,
			name: type,
			group: ['transform'],
			version: 1,
			description: '',
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			properties: [...new Set(names)].map((name) => ({
				displayName: name,
				name,
				type: 'json',
				default: '',
			})),
		},
		async execute(this: IExecuteFunctions) {
			const made: INodeExecutionData[] = [];
			for (const [item, { json }] of this.getInputData().entries()) {
				const parameter = (name: string) => this.getNodeParameter(name, item, '');
				const found = await play(parameter, json);
				made.push(...found.map((one) => ({ json: { ...one }, pairedItem: { item } })));
			}
			return [made];
		},
	};
}

interface Payment {
	readonly invoice: string;
	readonly address: string;
	readonly amount: string;
}

/** Runs the example with these settings. */
async function pay(payments: readonly Payment[]) {
	const evmRpc = new EvmRpc();
	const types = (name: string) =>
		name.endsWith('.evmRpc') ? evmRpc : played(name, plays[name] as Play);
	const settings = [
		{ name: 'from', value: payer.address },
		{ name: 'payments', value: payments },
		{ name: 'table', value: 'Paid' },
	];
	const nodes = steps().map((one) =>
		one.name === 'Settings'
			? { ...one, parameters: { assignments: { assignments: settings } } as never }
			: one,
	);
	const workflow = new Workflow({
		id: '1',
		name: example.name,
		active: false,
		nodes,
		connections: example.connections,
		nodeTypes: { getByName: types, getByNameAndVersion: types, getKnownTypes: () => ({}) },
		settings: example.settings,
	});
	const credentials = sandbox.credentials.token;
	const { additionalData } = createEngine({ node: evmRpc, parameters: {}, credentials });
	const run = new WorkflowExecute(additionalData, 'manual').run({
		workflow,
		startNode: workflow.getNode('Run by Hand') ?? undefined,
	});
	const { data } = await run;
	return data.resultData.error?.message;
}

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
	expect(table.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
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
		expect(table.map(({ status }) => status)).toEqual(['signed', 'signed', 'signed']);
		const signed = table.map(({ signedTransaction }) => signedTransaction);
		await sandbox.reset();

		const more = [...payments, ...invoices('0.04').map((one) => ({ ...one, invoice: 'new' }))];
		expect(await pay(more)).toBeUndefined();
		expect((await sendings()).slice(0, 3)).toEqual(signed);
		expect(await sendings()).toHaveLength(4);
		expect(table.map(({ status }) => status)).toEqual(Array(4).fill('success'));
		const [first = 0] = table.map(({ nonce }) => Number(nonce));
		expect(table.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 3].map((at) => first + at));
		expect(await paid(more)).toEqual(wanted(more));
	},
);
