import type { IDataObject } from 'n8n-workflow';
import type { ActiveTrigger } from '../../../harness/trigger.mts';
import { chainOf } from '../support/fakeChain.mts';
import { buildBlock, createFakeNode } from '../../../harness/fakeNode.mts';
import { evmRpcTrigger, triggersOfATest } from '../support/triggers.mts';

const active = triggersOfATest();
const node = createFakeNode();
const filter = (simplify = true) => evmRpcTrigger({ event: 'log', simplify }, node.credentials);

/** A trigger that has emitted this many blocks with this many logs in each. */
async function emitted(blocks: number, logs: number, simplify?: boolean): Promise<ActiveTrigger> {
	node.setAnswers(chainOf(node, { logs }));
	const trigger = await active(filter(simplify));
	for (let count = 1; count <= blocks; count++) {
		node.mine();
		await trigger.has(count * logs);
	}
	return trigger;
}

/** Replaces the emitted blocks by another branch, one block longer, with a single log in each block. */
function reorganize(): void {
	const head = buildBlock(++node.height, 11);
	node.setAnswers(chainOf(node, { logs: 1, fork: 11 }));
	node.announce(head);
}

const asRemoved = (items: readonly IDataObject[]) =>
	items.map((item) => ({ ...item, removed: true })).reverse();

test.each([
	[1, 501],
	[3, 200],
	[4, 5_000],
])('logs of %i blocks with %i logs each are all taken back', async (blocks, logs) => {
	const trigger = await emitted(blocks, logs);
	const before = [...trigger.items()];
	reorganize();
	const after = (await trigger.has(2 * before.length + blocks + 1)).slice(before.length);
	expect(after.slice(0, before.length)).toEqual(asRemoved(before));
	expect(after.slice(before.length)).toHaveLength(blocks + 1);
	expect(after.slice(before.length).some(({ removed }) => removed)).toBe(false);
});

test('after a restart, what is taken back are whole blocks with 500 logs at most', async () => {
	const trigger = await emitted(3, 200);
	await trigger.close();
	reorganize();
	const next = await active(filter(), { mode: 'init', staticData: trigger.stored() });
	const items = await next.has(404);
	expect(items.filter(({ removed }) => removed)).toEqual(asRemoved(trigger.items().slice(200)));
	expect(items.slice(400).map(({ blockNumber }) => blockNumber)).toEqual([11, 12, 13, 14]);
});

test.each([true, false])(
	'what a workflow makes of its items changes nothing of what is emitted later (simplify: %s)',
	async (simplify) => {
		const trigger = await emitted(1, 1, simplify);
		const [item] = trigger.items() as [{ topics: string[] } & IDataObject];
		const before = structuredClone(item);
		item.topics.push('added by another node');
		item.data = 'changed';
		reorganize();
		expect((await trigger.has(2))[1]).toEqual({ ...before, removed: true });
	},
);
