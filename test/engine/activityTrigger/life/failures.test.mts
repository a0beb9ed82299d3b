import type { INodeParameters } from 'n8n-workflow';
import { payments, createWorld } from '../support/world.mts';

const world = createWorld();

beforeAll(async () => await world.mine(5));

/** The parameters of a trigger that watches the first account, without retries and without batches. */
const watching = (options: object = {}): INodeParameters => ({
	event: 'addressActivity',
	addresses: world.account(1),
	options: { maxRetries: 0, batchSize: 1, ...options },
});

test('a failure moves nothing, and the next poll emits what it would have emitted', async () => {
	const { active, pay, sandbox } = world;
	const workflow = await active(watching());
	await pay(1, 2, 1);
	const before = workflow.inMemory();
	await sandbox.fault({ rpcMethod: 'trace_filter', do: { status: 502 } });
	const { items, error } = await workflow.poll();
	expect(items).toEqual([]);
	expect(error).toMatchObject({
		name: 'NodeApiError',
		message: 'The service failed to handle the request. POST / answered 502.',
	});
	expect(workflow.inMemory()).toBe(before);
	expect(payments((await workflow.poll()).items)).toEqual(['+1']);
});

test('a passing failure is not even noticed', async () => {
	const { active, pay, sandbox } = world;
	const workflow = await active(watching({ maxRetries: 2 }));
	await pay(1, 2, 1);
	await sandbox.fault({ rpcMethod: 'trace_filter', do: { reset: 'after' } });
	await sandbox.fault({ rpcMethod: 'eth_chainId', do: { status: 503 } });
	expect(payments((await workflow.poll()).items)).toEqual(['+1']);
});

test('what earlier ranges gave is emitted, although a later one fails', async () => {
	const { active, pay, mine, sandbox } = world;
	const workflow = await active(watching());
	await pay(1, 2, 1);
	await mine(149);
	await pay(1, 2, 2);
	// The first four requests succeed: two pages of what the account sent, and two of what its latest payee received.
	await sandbox.fault({ skip: 4, times: 100, rpcMethod: 'trace_filter', do: { status: 500 } });
	expect(payments((await workflow.poll()).items)).toEqual(['+1']);
	const { items, error } = await workflow.poll();
	expect(items).toEqual([]);
	expect(error?.message).toMatch(/^The service failed to handle the request\./);
	await sandbox.reset();
	expect(payments((await workflow.poll()).items)).toEqual(['+2']);
});

test('after a failure the next poll goes on where it happened, though nothing was found before', async () => {
	const { active, mine, sandbox, calls } = world;
	const workflow = await active(watching());
	await mine(150);
	await sandbox.fault({ skip: 2, rpcMethod: 'trace_filter', do: { status: 500 } });
	expect((await workflow.poll()).error).toBeDefined();
	await sandbox.reset();
	expect((await workflow.poll()).error).toBeUndefined();
	const searches = (await calls()).filter(({ method }) => method === 'trace_filter');
	const starts = searches.map(
		({ params: [filter] }) => (filter as { fromBlock: string }).fromBlock,
	);
	expect(Math.min(...starts.map(Number))).toBe((await world.height()) - 49);
});

test('a killed n8n reads again what was quiet, and emits nothing twice', async () => {
	const { active, workflow, pay, mine } = world;
	const first = await active(watching());
	await pay(1, 2, 1);
	expect(payments((await first.poll()).items)).toEqual(['+1']);
	await mine(30);
	expect((await first.poll()).items).toEqual([]);
	expect(first.saved()).not.toBe(first.inMemory());
	await pay(1, 2, 2);
	const second = workflow(watching(), { saved: first.saved() });
	expect(payments((await second.activate()).items)).toEqual(['+2']);
	expect((await second.poll()).items).toEqual([]);
});

test('of two polls at the same time, one gives up', async () => {
	const { active, pay, sandbox } = world;
	const workflow = await active(watching());
	await pay(1, 2, 1);
	await sandbox.fault({ rpcMethod: 'trace_filter', do: { delay: 300 } });
	const polls = await Promise.all([workflow.poll(), workflow.poll()]);
	expect(polls.flatMap(({ items }) => payments(items))).toEqual(['+1']);
	expect((await workflow.poll()).items).toEqual([]);
});

test('a limit is waited for', async () => {
	const { active, pay, mine, sandbox } = world;
	const workflow = await active(watching({ maxRetries: 4 }));
	await mine(120);
	await pay(1, 2, 1);
	await sandbox.control('PUT', '/limits', { callsPerSecond: 10, as: 'http429', retryAfter: true });
	expect(payments((await workflow.poll()).items)).toEqual(['+1']);
	expect((await sandbox.record()).map(({ status }) => status)).toContain(429);
});
