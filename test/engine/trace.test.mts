import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Trace } from '../../nodes/Trace/Trace.node';
import { deployContract } from '../harness/contract.mts';
import { runNode } from '../harness/engine.mts';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox({ chain: true });
let store: Awaited<ReturnType<typeof deployContract>>;
const WRITES = 12;

beforeAll(async () => {
	store = await deployContract(sandbox, 'Store');
	for (let value = 1; value <= WRITES; value++) {
		await sandbox.mined({
			from: store.owner,
			to: store.address,
			value: '0x2386f26fc10000',
			data: store.data('set(uint256)', value),
		});
	}
});

async function trace(parameters: INodeParameters) {
	return await runNode({
		node: new Trace(),
		parameters: { operation: 'filter', ...parameters },
		credentials: sandbox.credentials.token,
	});
}

/** Lists the searches for traces, without the requests for the times of blocks. */
const asked = async () =>
	(await sandbox.record())
		.map(({ path, body }) => ({ path, filter: (body as { params?: [object] }).params?.[0] }))
		.filter(({ filter }) => typeof filter === 'object');

test('all six filter fields are sent as documented, to the documented path', async () => {
	await trace({
		fromBlock: '1',
		toBlock: '0x64',
		fromAddress: store.owner,
		toAddress: `={{ ["${store.address}"] }}`,
		options: { after: 3, pageSize: 7 },
	});
	expect(await asked()).toEqual([
		{
			path: '/',
			filter: {
				fromBlock: '0x1',
				toBlock: '0x64',
				fromAddress: [store.owner],
				toAddress: [store.address],
				after: 3,
				count: 7,
			},
		},
		expect.objectContaining({ filter: expect.objectContaining({ after: 10, count: 7 }) }),
		expect.objectContaining({ filter: expect.objectContaining({ after: 13, count: 7 }) }),
	]);
});

test('the transactions that touched a contract come out, one item per trace', async () => {
	const { items } = await trace({ fromBlock: 2, toBlock: 100, toAddress: store.address });
	expect(items).toHaveLength(WRITES);
	expect(items[0]?.json).toEqual({
		blockNumber: 2,
		transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
		transactionPosition: 0,
		traceAddress: [],
		type: 'call',
		callType: 'call',
		from: store.owner,
		to: store.address,
		value: '10000000000000000',
		gasUsed: expect.any(Number),
		timestamp: expect.stringMatching(/^20\d\d-\d\d-\d\dT/),
	});
});

test('the creation of the contract is shown with its address, a raw trace untouched', async () => {
	const range = { fromBlock: 1, toBlock: 1 };
	const [simple] = (await trace(range)).items;
	expect(simple?.json).toMatchObject({ type: 'create', from: store.owner, to: store.address });
	const [raw] = (await trace({ ...range, simplify: false })).items;
	const expected = (await sandbox.chain('trace_filter', { fromBlock: '0x1', toBlock: '0x1' })) as [
		object,
	];
	expect(raw?.json).toEqual(expected[0]);
});

test('a tag that the node does not take gets a hint', async () => {
	const message = 'invalid type: string "latest", expected a quantity';
	const body = { jsonrpc: '2.0', id: 1, error: { code: -32602, message } };
	await sandbox.fault({ do: { status: 200, body } });
	const { error } = await trace({ fromBlock: 'latest' });
	expect(error?.message).toBe(message);
	expect(error?.description).toMatch(/give block numbers/);
});

test('traces have the time of their block, which is asked for once', async () => {
	const block = (await sandbox.chain('eth_getBlockByNumber', '0x2', false)) as {
		timestamp: string;
	};
	const { items } = await trace({ fromBlock: 2, toBlock: 4, toAddress: store.address });
	expect(items[0]?.json.timestamp).toBe(new Date(Number(block.timestamp) * 1000).toISOString());
	const sent = (await sandbox.record()).flatMap(
		({ body }) => [body].flat() as Array<{ method: string }>,
	);
	expect(sent.map(({ method }) => method)).toEqual([
		'trace_filter',
		'trace_filter',
		'eth_getBlockByHash',
		'eth_getBlockByHash',
		'eth_getBlockByHash',
	]);
});

test.each<[string, INodeParameters, RegExp]>([
	[
		'a bad address in a list',
		{ fromAddress: '0xabc, 0xdef' },
		/^'From Address' must be an address/,
	],
	['a block of -1', { toBlock: '-1' }, /^'To Block' must be/],
	['a page size of 0', { options: { pageSize: 0 } }, /^'Options > Page Size' must be/],
	['a limit of 0', { limit: 0 }, /^'Limit' must be/],
])('%s is refused before anything is sent', async (_, parameters, message) => {
	const { error } = await trace(parameters);
	expect(error?.message).toMatch(message);
	expect(await sandbox.record()).toEqual([]);
});

describe('what was undone', () => {
	let forger: Awaited<ReturnType<typeof deployContract>>;
	let payee: string;
	let first: number;

	beforeAll(async () => {
		forger = await deployContract(sandbox, 'Forger');
		payee = String(((await sandbox.chain('eth_accounts')) as string[])[7]);
		first = Number(await sandbox.chain('eth_blockNumber')) + 1;
		for (const method of ['payAndRevert', 'payAndRevertWithin', 'pay']) {
			const data = forger.data(`${method}(address)`, BigInt(payee));
			const gas = '0x7a120';
			await sandbox.mined({ from: forger.owner, to: forger.address, value: '0x5', data, gas });
		}
		await sandbox.mined({ from: forger.owner, to: payee, value: '0x6' });
	});

	async function payments(parameters: INodeParameters = {}) {
		const { items, error } = await trace({
			fromBlock: String(first),
			toAddress: payee,
			returnAll: true,
			options: { showReverted: true },
			...parameters,
		});
		expect(error).toBeUndefined();
		return items.map(({ json }) => json);
	}

	const reported = (items: readonly IDataObject[]) =>
		items.map(({ value, reverted }) => [value, reverted]);

	const transactionsAsked = async () =>
		(await sandbox.record())
			.flatMap(({ body }) => [body].flat() as IDataObject[])
			.filter(({ method }) => method === 'trace_transaction').length;

	test('on request, each trace says whether what it did was undone', async () => {
		expect(reported(await payments())).toEqual([
			['5', true],
			['5', true],
			['5', false],
			['6', false],
		]);
		// A trace at the top level of its transaction needs no request, because it has no parent call.
		expect(await transactionsAsked()).toBe(3);
	});

	test('otherwise nothing is asked, and no hint comes', async () => {
		for (const parameters of [{ options: {} }, { simplify: false }]) {
			const items = await payments(parameters);
			expect(items.filter((item) => 'reverted' in item)).toEqual([]);
		}
		expect(await transactionsAsked()).toBe(0);
	});

	test('what a node does not return is null', async () => {
		await sandbox.fault({
			rpcMethod: 'trace_transaction',
			times: -1,
			do: { patch: { result: null } },
		});
		expect(reported(await payments())).toEqual([
			['5', null],
			['5', null],
			['5', null],
			['6', false],
		]);
	});
});
