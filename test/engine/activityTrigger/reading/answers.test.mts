import { payments, createWorld } from '../support/world.mts';

const world = createWorld();
type Json = Record<string, unknown>;

beforeAll(async () => await world.mine(5));

/**
 * Each call is a request of its own, and the requests follow one after another, so that a test can replace a single
 * answer.
 */
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
		/^The chain node does not have block \d+ on its chain yet\. Nothing is lost: .* 'Confirmations' to 16\.$/,
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

async function allTraces() {
	const range = { fromBlock: '0x0', toBlock: `0x${(await world.height()).toString(16)}` };
	return (await world.sandbox.chain('trace_filter', range)) as Json[];
}

test('a node that ignores the filter gets nothing through that was not asked for', async () => {
	const { active, pay } = world;
	await pay(1, 2, 1);
	const workflow = await active(watching());
	await pay(2, 3, 2);
	await pay(1, 2, 3);
	await pay(1, 1, 4);
	await answer('trace_filter', await allTraces(), 2);
	expect(payments((await workflow.poll()).items)).toEqual(['+3', '+4']);
});

test('whatever order the traces come in, they are emitted in that of the chain', async () => {
	const { active, pay, height } = world;
	const workflow = await active(watching());
	await pay(1, 2, 1);
	const [sample] = (await allTraces()).slice(-1) as [Json & { action: object }];
	// Gives a transaction hash for each position. Only the transaction at position 2 is really on the chain.
	const hashAt = (position: number | null) =>
		position === null
			? null
			: position === 2
				? sample.transactionHash
				: `0x${String(position).padStart(64, '0')}`;
	const traceOf = (value: number, transactionPosition: number | null, traceAddress: number[]) => ({
		...sample,
		action: { ...sample.action, value: `0x${value.toString(16)}` },
		transactionPosition,
		transactionHash: hashAt(transactionPosition),
		traceAddress,
		blockNumber: Number(sample.blockNumber),
	});
	const inOrder = [
		traceOf(1, 0, []),
		traceOf(2, 0, [0]),
		traceOf(3, 0, [0, 1]),
		traceOf(4, 0, [1]),
		traceOf(5, 2, []),
		traceOf(6, 10, [2]),
		traceOf(7, 10, [10]),
		traceOf(8, null, []),
	];
	await answer('trace_filter', [...inOrder].reverse(), -1);
	await answer('trace_transaction', inOrder, -1);
	const { items } = await workflow.poll();
	expect(payments(items)).toEqual(['+1', '+2', '+3', '+4', '+5', '+6', '+7', '+8']);
	expect(items[0]?.blockNumber).toBe(await height());
});

test('a trace that does not name its block is found on the chain', async () => {
	const { active, pay, height } = world;
	const workflow = await active(watching());
	await pay(1, 2, 1);
	const [{ blockHash, ...trace }] = (await allTraces()).slice(-1) as [Json];
	await answer('trace_filter', [trace], 2);
	expect(payments((await workflow.poll()).items)).toEqual(['+1']);
	expect(JSON.parse(workflow.inMemory())).toMatchObject({
		'node:Tested': {
			saved: {
				cursor: {
					checkpoints: [{}, { number: await height(), hash: blockHash, emitted: [{ value: '1' }] }],
				},
			},
		},
	});
});
