import type { INodeParameters } from 'n8n-workflow';
import { encodeFunctionData, getAddress, keccak256, toHex, type Abi, type Hex } from 'viem';
import { deployContract } from '../../harness/contract.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { evmRpcAt } from './support/scene.mts';

const sandbox = createSandbox({ chain: true });
let events: Awaited<ReturnType<typeof deployContract>>;
let begin: number;
const { run, first, calls } = evmRpcAt(sandbox);

const PLAIN = 'event Plain(uint256 indexed number, address who, string text)';
const BIG = 2n ** 200n;
const HOLDER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

beforeAll(async () => {
	events = await deployContract(sandbox, 'Events', { file: 'Tokens' });
	begin = Number(await sandbox.chain('eth_blockNumber')) + 1;
	await emit('plain', 1n, 'one');
	await emit('plain', BIG, 'größer');
	await emit('nothing');
	await emit('hashed', 'secret', [1n, BIG]);
	await emit('plain', 3n, 'three');
});

async function emit(functionName: string, ...args: unknown[]) {
	const data = encodeFunctionData({ abi: events.abi as Abi, functionName, args });
	return await sandbox.mined({ from: events.owner, to: events.address, data });
}

const logs = (parameters: INodeParameters = {}): INodeParameters => ({
	resource: 'log',
	operation: 'getAll',
	addresses: events.address,
	fromBlock: begin,
	...parameters,
});
const args = async (parameters: INodeParameters) =>
	(await run(logs(parameters))).items.map(({ json }) => json.args);

async function timeOf(block: number): Promise<string> {
	const found = await sandbox.chain('eth_getBlockByNumber', `0x${block.toString(16)}`, false);
	const { timestamp } = found as { timestamp: string };
	return new Date(Number(timestamp) * 1000).toISOString();
}

describe('logs of an event', () => {
	test('are decoded, with the time of their block', async () => {
		const { items } = await run(logs({ event: PLAIN }));
		expect(items).toHaveLength(3);
		expect(items[1]?.json).toEqual({
			address: events.address,
			topics: [keccak256(toHex('Plain(uint256,address,string)')), toHex(BIG, { size: 32 })],
			data: expect.stringMatching(/^0x/),
			blockNumber: begin + 1,
			blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
			transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
			transactionIndex: 0,
			logIndex: 0,
			event: 'Plain',
			args: { number: String(BIG), who: getAddress(events.owner), text: 'größer' },
			timestamp: await timeOf(begin + 1),
		});
	});

	test.each([
		['a value', { number: 3 }, ['three']],
		['a value as text', { number: String(BIG) }, ['größer']],
		['alternatives', { number: ['0x1', 3] }, ['one', 'three']],
		['nothing', {}, ['one', 'größer', 'three']],
	])('are found where an indexed argument has %s', async (_, where, texts) => {
		const found = await args({ event: PLAIN, where: JSON.stringify(where) });
		expect(found.map((one) => (one as { text: string }).text)).toEqual(texts);
		const [sent] = (await calls()).flatMap((request) => request.calls);
		const [{ topics }] = sent?.params as [{ topics: unknown[] }];
		expect(topics).toHaveLength(Object.keys(where).length + 1);
	});

	test('come from a whole ABI too, each by its own name', async () => {
		const { items } = await run(logs({ event: JSON.stringify(events.abi) }));
		expect(items.map(({ json }) => json.event)).toEqual([
			'Plain',
			'Plain',
			'Nothing',
			'Hashed',
			'Plain',
		]);
		expect(items[3]?.json.args).toEqual({
			text: keccak256(toHex('secret')),
			numbers: ['1', String(BIG)],
		});
	});

	test('that do not fit are returned unchanged', async () => {
		const otherwise = 'Plain(uint256 number, address who, string text)';
		expect(await args({ event: otherwise })).toEqual([null, null, null]);
	});

	test('are as the node gives them without simplify', async () => {
		const filter = { address: events.address, fromBlock: '0x0', toBlock: 'latest' };
		const { items } = await run(logs({ simplify: false }));
		expect(items.map(({ json }) => json)).toEqual(await sandbox.chain('eth_getLogs', filter));
	});
});

test('logs of any event are found by topic position', async () => {
	const topics = `, ${toHex(1, { size: 32 })}`;
	const { items } = await run(logs({ topics }));
	expect(items.map(({ json }) => json.blockNumber)).toEqual([begin]);
	expect(items[0]?.json).not.toHaveProperty('event');
	expect((await run(logs({ topics: 'Nothing()' }))).items).toHaveLength(1);
	expect((await run(logs())).items).toHaveLength(5);
	expect((await run(logs({ addresses: '' }))).items).toHaveLength(5);
});

describe('the times of blocks', () => {
	/** Makes the node leave out the times of logs, as some real nodes do. */
	async function withoutTimes() {
		const found = (await sandbox.chain('eth_getLogs', { fromBlock: '0x0' })) as object[];
		const result = found.map((log) => ({ ...log, blockTimestamp: undefined }));
		const body = { jsonrpc: '2.0', id: 1, result };
		await sandbox.fault({ rpcMethod: 'eth_getLogs', times: -1, do: { status: 200, body } });
		return found as Array<{ blockHash: Hex }>;
	}
	const blocksAsked = async () =>
		(await calls())
			.flatMap((request) => request.calls)
			.filter(({ method }) => method.startsWith('eth_getBlock'))
			.map(({ params }) => params[0]);

	test('are read once each, however many logs and items there are', async () => {
		const found = await withoutTimes();
		const items = [{ json: {} }, { json: {} }, { json: {} }];
		const all = await run(logs({ options: { batchSize: 1, concurrency: 1 } }), { items });
		expect(all.items).toHaveLength(3 * found.length);
		expect(all.items[0]?.json.timestamp).toBe(await timeOf(begin));
		const asked = await blocksAsked();
		expect(asked).toEqual([...new Set(found.map(({ blockHash }) => blockHash))]);
	});

	test('are read for no more logs than are wanted, and for none without simplify', async () => {
		await withoutTimes();
		await run(logs({ returnAll: false, limit: 2 }));
		expect(await blocksAsked()).toHaveLength(2);
		await sandbox.reset();
		await withoutTimes();
		await run(logs({ simplify: false }));
		expect(await blocksAsked()).toEqual([]);
	});

	test('that the node does not return spoil nothing', async () => {
		await withoutTimes();
		const error = { code: -32601, message: 'the method does not exist' };
		const body = { jsonrpc: '2.0', id: 1, error };
		await sandbox.fault({ rpcMethod: 'eth_getBlockByHash', do: { status: 200, body } });
		const { items } = await run(logs({ returnAll: false, limit: 1 }));
		expect(items).toHaveLength(1);
		expect(items[0]?.json).not.toHaveProperty('timestamp');
	});
});

test.each<[INodeParameters, RegExp]>([
	[{ event: 'Plain(uint)', topics: 'Plain(uint256)' }, /^'Topics' must be empty when 'Event'/],
	[{ where: '{"number": 1}' }, /^'Where' needs an event in 'Event'/],
	[{ event: PLAIN, where: '{"number": "x"}' }, /^'Where > number' must be a whole number/],
	[{ addresses: '0x12' }, /^'Addresses' must be an address/],
	[{ fromBlock: 5, toBlock: 4 }, /^'From Block' must not be later than 'To Block'/],
	[{ toBlock: 'soon' }, /^'To Block' must be latest/],
	[{ limit: 0 }, /^'Limit' must be/],
])('%p is refused before anything is sent', async (parameters, message) => {
	expect(await first(logs(parameters))).toMatchObject({ message: expect.stringMatching(message) });
	expect(await sandbox.record()).toEqual([]);
});

describe('logs whose indexed values are hashed', () => {
	const line = { number: 7, text: 'a line of more than thirty-two characters' };
	const [maker, note, sizes] = [HOLDER, 'größer', [1, 65535]];
	const order = { id: 1n, maker, lines: [line], tag: '0x12345678', range: [-1, 1], isOpen: true };
	let shapes: typeof events;

	beforeAll(async () => {
		shapes = await deployContract(sandbox, 'Shapes');
		const args = [order, note, sizes];
		const data = encodeFunctionData({ abi: shapes.abi as Abi, functionName: 'tell', args });
		await sandbox.mined({ from: shapes.owner, to: shapes.address, data });
	});

	test.each<[string, object, number]>([
		['Ordered', { note, sizes: [sizes], maker }, 1],
		['Ordered', { note: ['other', note], sizes: null }, 1],
		['Ordered', { note: `${note}.` }, 0],
		['Ordered', { sizes: [[1], sizes] }, 1],
		['Ordered', { sizes: [[1]] }, 0],
		['Placed', { line }, 1],
		['Placed', { line: { ...line, number: 8 } }, 0],
	])('are found by the values themselves: %s where %j', async (name, where, count) => {
		const event = JSON.stringify(
			shapes.abi.filter((one) => (one as { name?: string }).name === name),
		);
		const addresses = shapes.address;
		expect(await args({ addresses, event, where: JSON.stringify(where) })).toHaveLength(count);
	});
});
