import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { startSandbox, type Sandbox } from '../harness/sandbox.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ chain: true });
	await sandbox.chain('anvil_mine', '0x400');
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.reset());

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

test('a batch size of 1 never batches', async () => {
	expectEveryBlock((await readBlocks(5, { batchSize: 1 })).items, 5);
	expect((await sandbox.record()).every(({ body }) => !Array.isArray(body))).toBe(true);
});

test('replies are matched by id in any order', async () => {
	await sandbox.control('PUT', '/batches', { order: 'reverse' });
	expectEveryBlock((await readBlocks(250)).items, 250);
});

test('in a shuffled batch, a failed call fails alone, one left out or answered twice is asked again', async () => {
	await sandbox.control('PUT', '/batches', {
		order: 'reverse',
		drop: [3],
		duplicate: [5],
		fail: [{ index: 7, error: { code: -32000, message: 'header not found' } }],
	});
	const { items } = await readBlocks(10, {}, { onError: 'continueRegularOutput' });
	expect(items[7]?.json.error).toBe('header not found');
	expect(items.map(({ json }) => json.number)).toEqual([0, 1, 2, 3, 4, 5, 6, undefined, 8, 9]);
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

describe('a server that takes no batches', () => {
	test.each(['error', '400', '413', 'close'])(
		'and says so by %s is asked in halves',
		async (refuse) => {
			await sandbox.control('PUT', '/batches', { refuse, max: 1 });
			expectEveryBlock((await readBlocks(30)).items, 30);
			const record = await sandbox.record();
			expect(record.at(-1)?.calls).toBe(1);
		},
	);

	test('of more than so many calls is asked within that size, and the lesson is kept', async () => {
		await sandbox.control('PUT', '/batches', { refuse: '413', max: 30 });
		expectEveryBlock((await readBlocks(500, { concurrency: 1 })).items, 500);
		const sizes = (await sandbox.record()).map(({ calls }) => calls);
		expect(sizes.slice(0, 3)).toEqual([100, 50, 25]);
		expect(sizes.slice(2)).toEqual(Array(20).fill(25));
	});
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

	test('a monthly quota fails at once and says so', async () => {
		await sandbox.control('PUT', '/limits', { quota: 'monthly' });
		const { error } = await readBlocks(5);
		expect(error?.message).toMatch(/monthly quota/);
		expect(await sandbox.record()).toHaveLength(1);
	});
});

describe('trouble on the way', () => {
	test.each([
		['a reset connection', { reset: 'before' }],
		['a truncated answer', { truncate: true }],
		['502', { status: 502, body: '<html><title>Bad Gateway</title></html>' }],
	])('reads are repeated after %s', async (_, fault) => {
		await sandbox.fault({ do: fault });
		expectEveryBlock((await readBlocks(150)).items, 150);
	});

	test('a refused token fails with the words of the page, and not item by item', async () => {
		const wrong = { chainNodeTokenApi: { nodeUrl: sandbox.nodeUrl, authToken: 'wrong-token-000' } };
		const { error } = await readBlocks(50, {}, { credentials: wrong });
		expect(error?.description).toMatch(/^POST \/evm answered 401\. Check the secret/);
		expect(JSON.stringify([error, error?.stack])).not.toContain('wrong-token-000');
		expect(await sandbox.record()).toHaveLength(1);
	});

	test('an echo of the token and of the password is struck from everything', async () => {
		for (const [authentication, credentials, secret] of [
			['token', sandbox.credentials.token, sandbox.authToken],
			['basicAuth', sandbox.credentials.basicAuth, sandbox.password],
		] as const) {
			await sandbox.fault({ do: { echo: true } });
			const result = await runNode({
				node: new EvmRpc(),
				parameters: { resource: 'fee', operation: 'getMaxPriority', authentication },
				credentials,
			});
			const everything = JSON.stringify([result, { ...result.error }, result.error?.stack]);
			const pair = Buffer.from(`${sandbox.username}:${secret}`).toString('base64');
			expect(result.error).toMatchObject({ httpCode: '401' });
			for (const spelling of [secret, encodeURIComponent(secret), pair]) {
				expect(everything).not.toContain(spelling);
			}
		}
	});

	test.each([
		['HTML', '<html><title>Hello</title></html>'],
		['an empty object', '{}'],
		['an empty list', '[]'],
		['a number', '42'],
		['another id', '{"jsonrpc":"2.0","id":7,"result":"0x0"}'],
		['neither result nor error', '{"jsonrpc":"2.0","id":1}'],
	])('an answer that is none (%s) is a failure', async (_, body) => {
		await sandbox.fault({ times: -1, do: { status: 200, body } });
		const { error } = await readBlocks(1);
		expect(error?.message).toMatch(/returned an invalid/);
	});
});
