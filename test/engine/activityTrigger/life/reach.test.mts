import { payments, createWorld } from '../support/world.mts';

const world = createWorld();

const watching = (address: string) => ({ event: 'addressActivity', addresses: address });

test('blocks count once enough others follow them', async () => {
	const { active, account, pay, mine } = world;
	await mine(10);
	const workflow = await active({ ...watching(account(1)), options: { confirmations: 3 } });
	await pay(1, 2, 6);
	await mine(2);
	expect((await workflow.poll()).items).toEqual([]);
	await mine(1);
	expect(payments((await workflow.poll()).items)).toEqual(['+6']);
});

test('a long absence is caught up poll by poll, in ranges of 100 blocks', async () => {
	const { active, account, pay, mine, sandbox, calls } = world;
	const workflow = await active({ ...watching(account(1)), options: { maxBlocksPerPoll: 250 } });
	for (const value of [1, 2, 3]) {
		await pay(1, 2, value);
		await mine(149);
	}
	await sandbox.reset();
	expect(payments((await workflow.poll()).items)).toEqual(['+1', '+2']);
	const spans = (await calls())
		.filter(({ method }) => method === 'trace_filter')
		.map(({ params: [filter] }) => filter as { fromBlock: string; toBlock: string; after?: number })
		.filter(({ after }) => after === undefined)
		.map(({ fromBlock, toBlock }) => Number(toBlock) - Number(fromBlock) + 1);
	expect(spans).toEqual([100, 100, 100, 100, 50, 50]);
	expect(payments((await workflow.poll()).items)).toEqual(['+3']);
	expect((await workflow.poll()).items).toEqual([]);
});

test('more confirmations than the chain has blocks: nothing yet', async () => {
	const { active, mine } = world;
	const workflow = await active({ event: 'newBlock', options: { confirmations: 1_000_000 } });
	await mine(3);
	expect(await workflow.poll()).toEqual({ items: [], error: undefined });
	expect(JSON.parse(workflow.inMemory())).toEqual({ 'node:Tested': {} });
});

test('when the time is nearly up, a poll gives what it has, and the next one goes on', async () => {
	const { workflow, mine, height } = world;
	const hasty = workflow({ event: 'newBlock' }, { budget: 0 });
	await hasty.activate();
	await mine(250);
	expect((await hasty.poll()).items).toHaveLength(100);
	expect((await hasty.poll()).items).toHaveLength(100);
	const { items } = await hasty.poll();
	expect(items).toHaveLength(50);
	expect(items.at(-1)?.number).toBe(await height());
});
