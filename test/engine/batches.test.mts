import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox({ chain: true });

beforeAll(async () => {
	await sandbox.chain('anvil_mine', '0x400');
});

/** Reads as many blocks as there are items, block n for item n. */
async function readBlocks(
	count: number,
	options: INodeParameters = {},
	more: Partial<NodeRun> = {},
) {
	const items = Array.from(
		{ length: count },
		(_, block): INodeExecutionData => ({ json: { block } }),
	);
	return await runNode({
		node: new EvmRpc(),
		parameters: { resource: 'block', operation: 'get', block: '={{ $json.block }}', options },
		credentials: sandbox.credentials.token,
		items,
		...more,
	});
}

function expectEveryBlock(items: readonly INodeExecutionData[], count: number) {
	expect(items.map(({ json, pairedItem }) => [json.number, pairedItem])).toEqual(
		Array.from({ length: count }, (_, item) => [item, { item }]),
	);
}

test('a thousand reads take ten requests, in order and paired, with one decryption', async () => {
	const { items, decryptions } = await readBlocks(1000);
	expectEveryBlock(items, 1000);
	const record = await sandbox.record();
	expect(record.map(({ calls }) => calls)).toEqual(Array(10).fill(100));
	expect(decryptions).toBe(1);
});

test('no more requests are under way at once than the user allows', async () => {
	await sandbox.control('PUT', '/latency', { ms: 400 });
	expectEveryBlock((await readBlocks(60, { batchSize: 10, concurrency: 2 })).items, 60);
	const record = await sandbox.record();
	const most = record.map(
		({ at }) => record.filter((one) => one.at <= at && (one.endedAt ?? 0) > at).length,
	);
	expect(Math.max(...most)).toBe(2);
});

test('identical reads travel once, and each item has an answer of its own', async () => {
	const items = Array.from({ length: 1000 }, () => ({ json: {} }));
	const parameters = { resource: 'block', operation: 'get', block: '0x10', simplify: false };
	const run = { node: new EvmRpc(), parameters, credentials: sandbox.credentials.token, items };
	const { items: found } = await runNode(run);
	expect(found).toHaveLength(1000);
	expect(new Set(found.map(({ json }) => json.hash)).size).toBe(1);
	expect(new Set(found.map(({ json }) => json.transactions)).size).toBe(1000);
	expect((await sandbox.record()).map(({ calls }) => calls)).toEqual([1]);
});

describe('limits', () => {
	test('a node that allows 25 calls a second answers them all', async () => {
		await sandbox.control('PUT', '/limits', { callsPerSecond: 25, as: 'rpc' });
		expectEveryBlock((await readBlocks(60)).items, 60);
	});

	test.each(['rpcWhole', 'http429', 'http503'])(
		'one that refuses whole requests by %s loses none',
		async (as) => {
			await sandbox.control('PUT', '/limits', { callsPerSecond: 50, as, retryAfter: true });
			expectEveryBlock((await readBlocks(90, { batchSize: 20 })).items, 90);
		},
	);

	test('only the refused calls wait', async () => {
		await sandbox.control('PUT', '/limits', { callsPerSecond: 60, as: 'rpc' });
		expectEveryBlock((await readBlocks(100)).items, 100);
		const [first, ...others] = (await sandbox.record()).map(({ calls }) => calls);
		expect(first).toBe(100);
		expect(others.reduce((sum, calls) => sum + calls, 0)).toBeLessThan(100);
	});
});
