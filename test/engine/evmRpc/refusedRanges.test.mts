import { deployContract } from '../../harness/contract.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { evmRpcAt } from './support/scene.mts';

const sandbox = createSandbox({ chain: true });
let coin: Awaited<ReturnType<typeof deployContract>>;
let expected: unknown[];
const { run, calls } = evmRpcAt(sandbox);

/** The node searches a fiftieth of these at a time. */
const BLOCKS = 650;
const MOST = 13;
const LOGS = 40;

/** A chain of many blocks, with logs here and there, and many in one of them. */
beforeAll(async () => {
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

/** The words of each refusal are tested beside the code that reads them. */
const REFUSALS: ReadonlyArray<[limit: object, status: number, code: number, message: string]> = [
	[{ maxBlocks: MOST }, 413, -32614, 'eth_getLogs is limited to a {max} range'],
	[{ maxBlocks: MOST }, 400, 35, 'ranges over {max} blocks are not supported on freetier'],
	[{ maxBlocks: MOST }, 200, -32002, 'request timed out'],
	[{ maxResults: 60 }, 500, -32020, 'backend response too large'],
	[
		{ maxResults: 60 },
		200,
		-32602,
		'Query returned more than 60 results. Try with this block range [{0xfrom}, {0xuntil}].',
	],
];

describe('a range that the node refuses', () => {
	test.each(REFUSALS)(
		'by %j, with status %i and error %i %s',
		async (limit, status, code, message) => {
			await sandbox.control('PUT', '/searches', { ...limit, status, refusal: { code, message } });
			const { items, searches, error } = await read();
			expect(error).toBeUndefined();
			expect(items).toEqual(expected);
			expect(searches).toBeGreaterThan(1);
			expect(searches).toBeLessThan(200);
		},
	);

	test('end where the chain ended when they were begun', async () => {
		await sandbox.control('PUT', '/searches', { maxBlocks: MOST });
		const mined: Array<Promise<unknown>> = [];
		const mining = setInterval(() => mined.push(sandbox.chain('evm_mine')), 20);
		const { items } = await read();
		clearInterval(mining);
		await Promise.all(mined);
		expect(items).toEqual(expected);
		const sent = (await calls()).flatMap((request) => request.calls);
		expect(sent.filter(({ params }) => params[0] === 'latest')).toHaveLength(1);
	});
});
