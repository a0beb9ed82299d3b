import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { payments, quantity, createWorld } from '../support/world.mts';

const world = createWorld();
const warn = jest.spyOn(Container.get(Logger), 'warn');

beforeAll(async () => await world.mine(10));
beforeEach(async () => {
	await world.sandbox.reset();
	warn.mockClear();
});

/** Replaces the latest blocks, optionally with a payment in the first of the new ones. */
async function reorganize(depth: number, payment?: { from: number; to: number; value: number }) {
	const { sandbox, account } = world;
	const { from, to, value } = payment ?? { from: 0, to: 0, value: 0 };
	const transaction = { from: account(from), to: account(to), value: quantity(value) };
	await sandbox.chain('anvil_reorg', depth, payment ? [[transaction, 0]] : []);
}

const activityOf = (address: string) => ({ event: 'addressActivity', addresses: address });

test('after a reorganization the lost transfers are taken back, then the new ones emitted', async () => {
	const { active, account, pay } = world;
	const workflow = await active(activityOf(account(1)));
	for (const value of [1, 2, 3, 4]) await pay(1, 2, value);
	expect(payments((await workflow.poll()).items)).toEqual(['+1', '+2', '+3', '+4']);
	await reorganize(3, { from: 1, to: 3, value: 9 });
	const { items } = await workflow.poll();
	expect(payments(items)).toEqual(['-4', '-3', '-2', '+9']);
	expect((await workflow.poll()).items).toEqual([]);
});

test('a lost transfer that had not been emitted is not mentioned', async () => {
	const { active, account, pay } = world;
	const workflow = await active(activityOf(account(1)));
	await pay(1, 2, 1);
	await workflow.poll();
	await pay(1, 2, 2);
	await reorganize(1);
	expect((await workflow.poll()).items).toEqual([]);
	await pay(1, 2, 3);
	expect(payments((await workflow.poll()).items)).toEqual(['+3']);
});

test('it is taken back in another life of the workflow too, as raw as it was emitted', async () => {
	const { active, workflow, account, pay } = world;
	const parameters = { ...activityOf(account(1)), simplify: false };
	const before = await active(parameters);
	await pay(1, 2, 5);
	const [emitted] = (await before.poll()).items;
	await reorganize(1);
	const { items } = await workflow(parameters, { saved: before.saved() }).activate();
	expect(items).toEqual([{ ...emitted, removed: true }]);
});

test('replaced blocks come again, marked', async () => {
	const { active, mine, height } = world;
	const workflow = await active({ event: 'newBlock' });
	await mine(4);
	const first = (await workflow.poll()).items;
	expect(first.map(({ reorganized }) => reorganized)).toEqual([false, false, false, false]);
	await reorganize(2);
	await mine(1);
	const top = await height();
	const { items } = await workflow.poll();
	expect(items.map(({ number, reorganized }) => [number, reorganized])).toEqual([
		[top - 2, true],
		[top - 1, true],
		[top, false],
	]);
	expect(items[0]?.hash).not.toBe(first[2]?.hash);
	expect(items[0]?.parentHash).toBe(first[1]?.hash);
});

test('a reorganization while a poll is reading does not mix two chains', async () => {
	const { active, account, pay, mine, sandbox } = world;
	const workflow = await active(activityOf(account(1)));
	await pay(1, 2, 7);
	await mine(2);
	await sandbox.fault({ rpcMethod: 'trace_filter', do: { delay: 3_000 } });
	const polling = workflow.poll();
	await world.asked('trace_filter');
	await reorganize(3, { from: 1, to: 4, value: 8 });
	const polls = [await polling, await workflow.poll(), await workflow.poll()];
	expect(polls.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
	expect(polls.flatMap(({ items }) => payments(items))).toEqual(['+8']);
});

test('when the user chooses another event, it begins at the head', async () => {
	const { active, workflow, account, pay, mine, height } = world;
	const before = await active(activityOf(account(1)));
	await pay(1, 2, 5);
	await before.poll();
	await reorganize(1);
	const after = workflow({ event: 'newBlock' }, { saved: before.saved() });
	expect((await after.activate()).items).toEqual([]);
	expect(warn).not.toHaveBeenCalled();
	await mine(1);
	expect((await after.poll()).items).toMatchObject([
		{ number: await height(), reorganized: false },
	]);
});

test('on another chain it begins at the head, with a warning and without a flood', async () => {
	const { active, mine, sandbox } = world;
	const workflow = await active({ event: 'newBlock' });
	await mine(20);
	await sandbox.chain('anvil_setChainId', 4711);
	expect((await workflow.poll()).items).toEqual([]);
	expect(warn.mock.calls).toEqual([[expect.stringMatching(/different chain.*from block \d+/)]]);
	await mine(1);
	expect((await workflow.poll()).items).toHaveLength(1);
});

test('a chain that was begun anew is one too', async () => {
	const { active, mine, sandbox } = world;
	const workflow = await active({ event: 'newBlock' });
	await sandbox.chain('anvil_reset');
	await mine(7);
	expect((await workflow.poll()).items).toEqual([]);
	expect(warn).toHaveBeenCalledTimes(1);
	await mine(2);
	expect((await workflow.poll()).items.map(({ number }) => number)).toEqual([8, 9]);
});
