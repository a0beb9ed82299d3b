import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { utils } from 'tronweb';
import { WitnessWalletTrigger } from '../../../nodes/WitnessWalletTrigger/WitnessWalletTrigger.node';
import { computePercentile } from '../../../bench/rounds.mts';
import { createPollingWorkflow } from '../../harness/poll.mts';
import { figure } from '../../harness/figure.mts';
import { collectGarbage } from '../../harness/garbage.mts';
import { measureResidentMemory, watchMemory } from '../resources.mts';

const DAY_BLOCKS = 28_800;
const WATCHED = utils.address.fromHex(`41${'2'.repeat(40)}`);
const POLL_BUDGET_MS = 60_000;

/** Starts a TRON node in a process of its own, and a workflow that watches it. */
async function startNode(perBlock: number, latency: number) {
	const script = join(__dirname, 'witnessNode.mjs');
	const child = spawn(process.execPath, [script, String(perBlock), String(latency)], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
	const advance = async (blocks: number) =>
		await fetch(`${url}/advance`, { method: 'POST', body: JSON.stringify({ blocks }) });
	const workflow = createPollingWorkflow(
		{
			node: new WitnessWalletTrigger(),
			parameters: { addresses: WATCHED },
			credentials: { chainNodeTokenApi: { nodeUrl: url, authToken: 'token-of-a-figure' } },
		},
		{ budget: POLL_BUDGET_MS },
	);
	await workflow.activate();
	return { advance, workflow, stop: () => child.stdin.end() };
}

async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
	const begun = performance.now();
	await work();
	return (performance.now() - begun) / 1000;
}

const POLLS = 9;

/** The processor time of this process is printed beside the total time, which depends on the load of the machine. */
test('one poll', async () => {
	const { advance, workflow, stop } = await startNode(100, 25);
	const [all, computed]: [number[], number[]] = [[], []];
	for (let poll = 0; poll < POLLS; poll++) {
		await advance(20);
		const before = process.cpuUsage();
		all.push(
			await measureSeconds(async () => expect((await workflow.poll()).error).toBeUndefined()),
		);
		const { user, system } = process.cpuUsage(before);
		computed.push((user + system) / 1e6);
	}
	const [seconds, own] = [all, computed].map((some) => computePercentile(some, 0.5).toFixed(2));
	figure(
		`One poll of 20 blocks of 100 transactions, each answer after 25 ms: ${seconds} s, of which ${own} s computing (medians of ${POLLS})`,
	);
	stop();
});

test('a day of absence', async () => {
	const { advance, workflow, stop } = await startNode(100, 0);
	await advance(DAY_BLOCKS);
	collectGarbage();
	const before = measureResidentMemory();
	const getPeak = watchMemory();
	let [found, polls] = [0, 0];
	const seconds = await measureSeconds(async () => {
		for (let items = -1; items !== 0; polls++) {
			const polled = await workflow.poll();
			expect(polled.error).toBeUndefined();
			items = polled.items.length;
			found += items;
		}
	});
	expect(found).toBe(DAY_BLOCKS / 100);
	const memory = (getPeak() - before).toFixed(0);
	figure(
		`A day of ${DAY_BLOCKS.toLocaleString('en')} blocks of 100 transactions, in ${polls} polls: ${seconds.toFixed(0)} s, ${memory} MB at the peak`,
	);
	stop();
});
