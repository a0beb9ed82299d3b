import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { INodeExecutionData } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { createScratchNode } from '../harness/scratchNode.mts';
import { figure } from './figure.mts';

const LOGS = 100_000;
const BLOCKS = LOGS / 2;
const MB = 1024 * 1024;

/** Starts a node with this many logs, in a process of its own. */
async function startNode(...options: string[]) {
	const script = join(__dirname, 'logNode.mjs');
	const child = spawn(process.execPath, [script, String(BLOCKS), ...options], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
	return { url, stop: () => child.stdin.end() };
}

/** Measures a run: its time, and its peak of memory. */
async function measured(what: string, run: NodeRun): Promise<readonly INodeExecutionData[]> {
	global.gc?.();
	const before = process.memoryUsage.rss();
	let peak = before;
	const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
	const begun = performance.now();
	const { items, error } = await runNode(run);
	const seconds = (performance.now() - begun) / 1000;
	clearInterval(watch);
	peak = Math.max(peak, process.memoryUsage.rss());
	expect(error).toBeUndefined();
	expect(items).toHaveLength(LOGS);
	figure(`${what}: ${seconds.toFixed(1)} s, ${((peak - before) / MB).toFixed(0)} MB at the peak`);
	return items;
}

const event = 'Transfer(address indexed from, address indexed to, uint256 value)';
const read = (url: string, parameters: object): NodeRun => ({
	node: new EvmRpc(),
	parameters: {
		resource: 'log',
		operation: 'getAll',
		fromBlock: 0,
		toBlock: 'latest',
		returnAll: true,
		...parameters,
	},
	credentials: { chainNodeTokenApi: { nodeUrl: url, authToken: 'token-of-a-figure' } },
});

/** Measures n8n itself with the same number of items, in a node that does nothing, or reads a parameter of each. */
const idle = (readsParameter: boolean) =>
	createScratchNode((context) => {
		const items = context.getInputData();
		if (readsParameter) items.forEach((_, index) => context.getNodeParameter('value', index));
		return items;
	});

test('logs', async () => {
	const [withTimes, withoutTimes] = [await startNode('times'), await startNode()];
	figure(`${LOGS.toLocaleString('en')} logs, at most 10,000 in one search:`);
	await measured('  as the node gives them', read(withTimes.url, { simplify: false }));
	const items = await measured('  decoded, with its times', read(withTimes.url, { event }));
	await measured(
		`  decoded, and ${BLOCKS} blocks asked for their times`,
		read(withoutTimes.url, { event }),
	);
	const pass = { parameters: { value: '={{ $json.logIndex }}' }, credentials: {}, items };
	await measured('  n8n itself, passing them on', { ...pass, node: idle(false) });
	await measured('  n8n itself, with one expression each', { ...pass, node: idle(true) });
	withTimes.stop();
	withoutTimes.stop();
});
