import { payments, createWorld } from '../support/world.mts';

const world = createWorld();
type Json = Record<string, unknown>;

beforeAll(async () => await world.mine(5));

/** Calls travel alone and one after another, so that single answers can be replaced. */
const options = { maxRetries: 0, batchSize: 1, concurrency: 1 };
const watching = () => ({ event: 'addressActivity', addresses: world.account(1), options });

async function answer(rpcMethod: string, result: unknown, times = 1, skip = 0) {
	await world.sandbox.fault({ rpcMethod, times, skip, do: { patch: { result } } });
}

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
	// The transaction at the second position is on the chain.
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
