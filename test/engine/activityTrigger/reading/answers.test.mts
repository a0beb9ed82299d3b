import { createWorld } from '../support/world.mts';

const world = createWorld();

beforeAll(async () => await world.mine(5));

/** Calls travel alone and one after another, so that single answers can be replaced. */
const options = { maxRetries: 0, batchSize: 1, concurrency: 1 };
const blocks = { event: 'newBlock', options };
const watching = () => ({ event: 'addressActivity', addresses: world.account(1), options });

async function answer(rpcMethod: string, result: unknown, times = 1, skip = 0) {
	await world.sandbox.fault({ rpcMethod, times, skip, do: { patch: { result } } });
}

test('a block that is missing for long is a failure', async () => {
	const { active, mine, sandbox } = world;
	const workflow = await active(blocks);
	await mine(6);
	await answer('eth_getBlockByNumber', null, -1, 4);
	expect((await workflow.poll()).error?.message).toMatch(
		/^The node does not have block \d+ on its chain yet\. Nothing is lost: .* 'Confirmations' to 16\.$/,
	);
	await sandbox.reset();
	expect((await workflow.poll()).items).toHaveLength(6);
});

test.each<[string, string, unknown, RegExp]>([
	['a text for a chain', 'eth_chainId', 'mainnet', /did not answer with a chain ID\. It answered /],
	['no head', 'eth_getBlockByNumber', null, /did not answer with its latest block\. It answered /],
	[
		'a text for a block',
		'eth_getBlockByNumber',
		'block',
		/did not answer with a block\. It answered /,
	],
	[
		'a block without a number',
		'eth_getBlockByNumber',
		{ hash: '0x1', parentHash: '0x0' },
		/did not answer with a block number\. It answered /,
	],
	[
		'a text for traces',
		'trace_filter',
		'traces',
		/did not answer with a list of traces\. It answered /,
	],
	[
		'a list of texts',
		'trace_filter',
		['trace'],
		/did not answer with a list of traces\. It answered /,
	],
	[
		'a trace of no block',
		'trace_filter',
		[{ action: {} }],
		/did not answer with a block number\. It answered /,
	],
])('%s is refused', async (_, method, result, message) => {
	const { active, mine } = world;
	const workflow = await active(watching());
	await mine(1);
	const before = workflow.inMemory();
	await answer(method, result, -1);
	const { items, error } = await workflow.poll();
	expect(items).toEqual([]);
	expect(error).toMatchObject({ name: 'NodeApiError', message: expect.stringMatching(message) });
	expect(workflow.inMemory()).toBe(before);
});
