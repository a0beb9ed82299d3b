import type { INodeParameters } from 'n8n-workflow';
import { parseAccountKey } from '../../../nodes/core/accountKey/accountKey';
import { watchAccounts } from '../../../nodes/core/accountKey/watchedAccounts';
import { ActivityTrigger } from '../../../nodes/ActivityTrigger/ActivityTrigger.node';
import { ACCOUNT_KEY, OTHER_ACCOUNT_KEY, watchingKey } from '../../harness/accountKey.mts';
import { BOB, TOKEN_ADDRESS, TRANSFERS } from '../../harness/fakeChain.mts';
import { createFakeNode } from '../../harness/fakeNode.mts';
import { figure } from '../../harness/figure.mts';
import { measureLongestGap } from '../../harness/loopGap.mts';
import { createPollingWorkflow } from '../../harness/poll.mts';
import { measureMemory } from '../resources.mts';

const node = createFakeNode();

const createWorkflow = (parameters: INodeParameters) =>
	createPollingWorkflow(
		{
			node: new ActivityTrigger(),
			parameters: { event: 'tokenTransfer', tokens: TOKEN_ADDRESS, ...parameters },
			credentials: node.credentials,
		},
		{ budget: 600_000 },
	);

async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
	const begun = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(begun);
	return (user + system) / 1e6;
}

test('addresses are derived', async () => {
	const key = parseAccountKey(OTHER_ACCOUNT_KEY);
	const derive = async (count: number) =>
		await watchAccounts({ key, firstIndex: 0, count }).derive();
	await derive(1);
	let gap = 0;
	const seconds = await measureSeconds(
		async () => (gap = await measureLongestGap(async () => await derive(10_000))),
	);
	const before = measureMemory();
	const more = await measureSeconds(async () => await derive(110_000));
	const memory = measureMemory() - before;
	figure(
		`10,000 addresses derived: ${seconds.toFixed(2)} s of processor, ${gap.toFixed(0)} ms at a time; 100,000 more: ${more.toFixed(2)} s; they keep ${memory.toFixed(1)} MB`,
	);
});

const POLLS = 31;

test('a poll of so many addresses', async () => {
	node.contentsOf = (number) => (number % 10 === 0 ? TRANSFERS : {});
	const counts = [1, 1_000, 100_000];
	const workflows = counts.map((count) => createWorkflow({ ...watchingKey(count), firstIndex: 1 }));
	await watchAccounts({
		key: parseAccountKey(ACCOUNT_KEY),
		firstIndex: 1,
		count: 100_000,
	}).derive();
	for (const workflow of workflows) await workflow.activate();
	const times: number[][] = counts.map(() => []);
	for (let poll = 0; poll < POLLS; poll++) {
		node.height += 20;
		for (let turn = 0; turn < counts.length; turn++) {
			// The order of the workflows changes, because the first to read new blocks waits until the node has built them.
			const at = (turn + poll) % counts.length;
			const workflow = workflows[at];
			times[at]?.push(
				await measureSeconds(async () => {
					const { items, error } = (await workflow?.poll()) ?? { items: [] };
					expect(error).toBeUndefined();
					expect(items.length).toBeGreaterThan(0);
				}),
			);
		}
	}
	for (const [at, count] of counts.entries()) {
		const sorted = [...(times[at] ?? [])].sort((one, other) => one - other);
		const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
		figure(`A poll of ${count} addresses: ${(1000 * median).toFixed(1)} ms of processor`);
	}
});

const BLOCKS_OF_A_MONTH = (30 * 86_400) / 12;

test('a month is caught up with', async () => {
	const now = Math.floor(Date.now() / 1000);
	node.height = 1_000_000;
	node.contentsOf = (number) => ({
		...(number % 1_000 === 0 && TRANSFERS),
		time: now - (node.height - number) * 12,
	});
	const accounts = { accounts: BOB, direction: 'to', options: { startAt: '30 days back' } };
	const workflow = createWorkflow(accounts);
	const blocks = new Set<unknown>();
	let polls = 0;
	await workflow.activate();
	const seconds = await measureSeconds(async () => {
		for (let count = 1; count > 0; polls++) {
			const { items, error } = await workflow.poll();
			expect(error).toBeUndefined();
			for (const { blockNumber } of items) blocks.add(blockNumber);
			count = items.length;
		}
	});
	// The first block that the trigger reads may count as well, so a difference of 1 is allowed.
	expect(Math.abs(blocks.size - BLOCKS_OF_A_MONTH / 1_000)).toBeLessThanOrEqual(1);
	figure(
		`30 days of blocks (${BLOCKS_OF_A_MONTH}) caught up with: ${polls} polls, ${seconds.toFixed(0)} s of processor with the node`,
	);
});
