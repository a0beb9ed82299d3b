import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { createWorld, payments } from '../support/world.mts';

const world = createWorld();

test('an item is a simple block, or the block as documented', async () => {
	const { active, pay, height, sandbox } = world;
	const simple = await active({ event: 'newBlock' });
	const raw = await active({ event: 'newBlock', simplify: false });
	const transactionHash = await pay(1, 2);
	const number = await height();
	expect((await simple.poll()).items).toMatchObject([
		{ number, transactionCount: 1, transactions: [transactionHash], reorganized: false },
	]);
	const block = await sandbox.chain('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
	expect((await raw.poll()).items).toEqual([{ ...(block as object), reorganized: false }]);
});

test('the blocks of a range travel in one batch', async () => {
	const { active, mine, sandbox } = world;
	const workflow = await active({ event: 'newBlock' });
	await mine(50);
	await sandbox.reset();
	expect((await workflow.poll()).items).toHaveLength(50);
	const sizes = (await sandbox.record()).map(({ calls }) => calls);
	expect(sizes).toEqual([3, 1, 1, 50, 1]);
});

test('both ways of authentication work', async () => {
	const { workflow, mine, sandbox } = world;
	const parameters = { authentication: 'basicAuth', event: 'newBlock' };
	const basic = workflow(parameters, {}, { credentials: sandbox.credentials.basicAuth });
	await basic.activate();
	await mine(1);
	expect((await basic.poll()).items).toHaveLength(1);
	const [seen] = await sandbox.record();
	expect(seen?.headers.authorization).toMatch(/^Basic /);
});

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
	const warn = jest.spyOn(Container.get(Logger), 'warn');
	expect(payments((await workflow.poll()).items)).toEqual(['+1', '+2']);
	expect(warn.mock.calls.flat().join()).toContain("The poll ended at 'Max Blocks Per Poll'");
	warn.mockClear();
	const spans = (await calls())
		.filter(({ method }) => method === 'trace_filter')
		.map(({ params: [filter] }) => filter as { fromBlock: string; toBlock: string; after?: number })
		.filter(({ after }) => after === undefined)
		.map(({ fromBlock, toBlock }) => Number(toBlock) - Number(fromBlock) + 1);
	expect(spans).toEqual([100, 100, 100, 100, 50, 50]);
	expect(payments((await workflow.poll()).items)).toEqual(['+3']);
	expect((await workflow.poll()).items).toEqual([]);
	expect(warn).not.toHaveBeenCalled();
	warn.mockRestore();
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
