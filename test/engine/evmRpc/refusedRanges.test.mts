import { deployContract } from '../../harness/contract.mts';
import { startSandbox, type Sandbox } from '../../harness/sandbox.mts';
import { evmRpcAt } from './support/scene.mts';

let sandbox: Sandbox;
let coin: Awaited<ReturnType<typeof deployContract>>;
let expected: unknown[];
const { run, calls } = evmRpcAt(() => sandbox);

/** The node searches a fiftieth of these at a time. */
const BLOCKS = 650;
const MOST = 13;
const LOGS = 40;

/** A chain of many blocks, with logs here and there, and many in one of them. */
beforeAll(async () => {
	sandbox = await startSandbox({ chain: true });
	coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	for (let log = 0; log < LOGS; log++) {
		await sandbox.chain('anvil_mine', `0x${(log % 5 === 0 ? 60 : 1).toString(16)}`);
		const data = coin.data('transferMany(address,uint256)', 0xaan, log === 20 ? 50 : 1);
		await sandbox.mined({ from: coin.owner, to: coin.address, data });
	}
	const head = Number(await sandbox.chain('eth_blockNumber'));
	await sandbox.chain('anvil_mine', `0x${(BLOCKS - 1 - head).toString(16)}`);
	const filter = { address: coin.address, fromBlock: '0x0', toBlock: 'latest' };
	expected = (await sandbox.chain('eth_getLogs', filter)) as unknown[];
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.reset());

const logs = {
	resource: 'log',
	operation: 'getAll',
	fromBlock: 'earliest',
	returnAll: true,
	simplify: false,
};

async function read(parameters = {}) {
	const { items, error } = await run({ ...logs, addresses: coin.address, ...parameters });
	const sent = (await calls()).flatMap((request) => request.calls);
	return { items: items.map(({ json }) => json), error, searches: sent.filter(isSearch).length };
}

const isSearch = ({ method }: { method: string }) => method === 'eth_getLogs';

test('a range that the node takes is one request', async () => {
	const { items, searches } = await read();
	expect(expected).toHaveLength(LOGS + 49);
	expect(items).toEqual(expected);
	expect(searches).toBe(1);
	expect(await sandbox.record()).toHaveLength(1);
});

const WORDS: ReadonlyArray<[number, number, string]> = [
	[-32614, 413, 'eth_getLogs is limited to a {max} range'],
	[
		-32600,
		400,
		'Under the Free tier plan, you can make eth_getLogs requests with up to a {max} block range. Based on your parameters, this block range should work: [{0xfrom}, {0xuntil}]',
	],
	[-32602, 200, 'range {width} exceeds limit of {max}'],
	[-32600, 200, 'block range is too wide (maximum {max})'],
	[-32062, 200, 'Block range is too large'],
	[-32000, 200, 'exceed maximum block range: {max}'],
	[-32000, 200, 'requested too many blocks from {from} to {to}, maximum is set to {max}'],
	[-32602, 200, 'Maximum allowed number of requested blocks is {max}'],
	[
		-32047,
		200,
		"Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: {max}",
	],
	[-32602, 200, 'eth_getLogs is limited to 0 - {max} blocks range'],
	[-32600, 200, 'the range exceeds the range allowed for your plan ({width} > {max}).'],
	[-32602, 200, 'please limit the query to at most {max} blocks'],
	[-32602, 200, 'query exceeds max block range {max}'],
	[-32602, 200, 'block range greater than {max} max'],
	[-32000, 200, 'Block range limit exceeded. See more details at https://example.com/limits'],
	[-32005, 200, 'Requested range exceeds maximum RPC range limit'],
	[-32000, 200, 'maximum [from, to] blocks distance: {max}'],
	[-32000, 200, 'query block range exceeds server limit, narrow your filter: {max}'],
	[35, 400, 'ranges over {max} blocks are not supported on freetier'],
	[1, 200, 'invalid epoch range: to and from height are too far apart (maximum: {max})'],
	[-32005, 200, 'query timeout exceeded'],
	[-32002, 200, 'request timed out'],
];

describe('many blocks at a node that searches few at a time', () => {
	test.each(WORDS)('and says %i (%i) %s', async (code, status, message) => {
		await sandbox.control('PUT', '/searches', {
			maxBlocks: MOST,
			status,
			refusal: { code, message },
		});
		const { items, searches, error } = await read();
		expect(error).toBeUndefined();
		expect(items).toEqual(expected);
		expect(searches).toBeLessThan(200);
	});

	test('and says so in the data of its error', async () => {
		const data = {
			error_id: 'd4ed94073',
			payload: 'range {width} is bigger than range limit {max}',
		};
		const refusal = { code: -32602, message: 'invalid params', data };
		await sandbox.control('PUT', '/searches', { maxBlocks: MOST, refusal });
		const { items, searches } = await read();
		expect(items).toEqual(expected);
		expect(searches).toBeLessThan(60);
	});

	test('are read as far as a limit of results needs', async () => {
		await sandbox.control('PUT', '/searches', { maxBlocks: MOST });
		const { items, searches } = await read({ returnAll: false, limit: 4 });
		expect(items).toEqual(expected.slice(0, 4));
		expect(searches).toBeLessThan(20);
	});

	test('of the next item are read in parts at once', async () => {
		await sandbox.control('PUT', '/searches', { maxBlocks: MOST });
		const parameters = { ...logs, fromBlock: '={{ $json.from }}', options: { concurrency: 1 } };
		const { items } = await run(parameters, {
			items: [{ json: { from: 0 } }, { json: { from: 640 } }],
		});
		expect(items).toHaveLength(expected.length);
		const sent = (await calls()).flatMap((request) => request.calls);
		expect(sent.filter(isSearch).length).toBeLessThan(60);
	});

	test('end where the chain ended when they were begun', async () => {
		await sandbox.control('PUT', '/searches', { maxBlocks: MOST });
		const mining = setInterval(() => void sandbox.chain('evm_mine'), 20);
		const { items } = await read();
		clearInterval(mining);
		expect(items).toEqual(expected);
		const sent = (await calls()).flatMap((request) => request.calls);
		expect(sent.filter(({ params }) => params[0] === 'latest')).toHaveLength(1);
	});
});

describe('a node that gives so much at a time', () => {
	test.each([
		[-32005, 200, 'query returned more than 10 results'],
		[
			-32602,
			200,
			'Query returned more than 10 results. Try with this block range [{0xfrom}, {0xuntil}].',
		],
		[-32000, 200, 'query exceeds max results 10, retry with the range {from}-{until}'],
		[-32000, 200, 'logs matched by query exceeds limit of 10'],
		[
			-32602,
			200,
			'Log response size exceeded. Based on your parameters and the response size limit, this block range should work: [{0xfrom}, {0xuntil}]',
		],
		[-32020, 500, 'backend response too large'],
		[-32003, 413, 'response too large'],
	])('and says %i (%i) %s', async (code, status, message) => {
		const searched = { fromBlock: 0, toBlock: 320 };
		const wanted = expected.filter(
			(log) => Number((log as { blockNumber: string }).blockNumber) <= 320,
		);
		await sandbox.control('PUT', '/searches', {
			maxResults: 10,
			status,
			refusal: { code, message },
		});
		const { items, searches, error } = await read(searched);
		expect(error).toBeUndefined();
		expect(wanted.length).toBeGreaterThan(10);
		expect(items).toEqual(wanted);
		expect(searches).toBeLessThan(80);
	});

	test('by the status alone is understood', async () => {
		await sandbox.fault({ rpcMethod: 'eth_getLogs', do: { status: 413, body: '<html></html>' } });
		expect((await read()).items).toEqual(expected);
	});

	test('and less than one block holds fails, and says which', async () => {
		await sandbox.control('PUT', '/searches', {
			maxResults: 30,
			refusal: { code: -32005, message: 'query returned more than 30 results' },
		});
		const { error, items } = await read();
		const full = expected.find((log) => (log as { data: string }).data.endsWith('32'));
		expect(items).toEqual([]);
		expect(error?.message).toBe('query returned more than 30 results');
		expect(error?.description).toContain(
			`Block ${Number((full as { blockNumber: string }).blockNumber)} alone holds more`,
		);
	});
});
