import { fork } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { join } from 'node:path';
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { itemsOf, operations, type Operation } from '../../faults/operation.mts';
import { figure } from '../../harness/figure.mts';
import { runNode } from '../../harness/engine.mts';
import { buildCredentials } from '../../harness/server.mts';
import { waitUntil } from '../../harness/until.mts';
import { accountOf } from './account.mts';
import type { Report, Soak } from './service.mts';
import { countHandles, measureMemory, watchMemory } from '../resources.mts';

/**
 * This file runs many items through each node while some of them meet faults.
 * Every item must have an outcome, and no memory, sockets or timers may be left behind.
 */

const ITEMS = Number(process.env.LONG_ITEMS);
const SEED = Number(process.env.LONG_SEED);
/**
 * The most memory in MB that may be left. The limit is generous: memory that grows with every request would exceed it.
 */
const MOST_LEFT = 40;
const MOST_AT_PEAK = 1200;

const service = fork(join(__dirname, 'service.mts'), { execArgv: ['--import', 'tsx'] });
afterAll(() => service.kill());

async function ask<Answer>(question: Soak | 'report'): Promise<Answer> {
	service.send(question);
	const [answer] = (await once(service, 'message')) as [Answer];
	return answer;
}

async function soak(operation: Operation, count: number) {
	const { name, travels, answer, builds, others, credential, parameters } = operation;
	const url = await ask<string>({
		name,
		travels,
		answer,
		builds,
		others,
		seed: SEED,
		items: count,
	});
	const { node, listeners } = watched(operation.node);
	const result = await runNode({
		node,
		parameters: { ...parameters, options: { timeout: 2000, maxRetries: 2 } },
		credentials: buildCredentials(url)[credential],
		items: itemsOf(count),
		onError: 'continueRegularOutput',
	});
	const report = await ask<Report>('report');
	return {
		report,
		listeners: listeners(),
		...accountOf(result, report, travels.startsWith('once')),
	};
}

/** Wraps a node so that the listeners for the end of its execution can be counted. */
function watched(node: INodeType): { node: INodeType; listeners: () => number } {
	let signal: AbortSignal | undefined;
	const tested = Object.create(node) as INodeType;
	tested.execute = async function (this: IExecuteFunctions) {
		signal = this.getExecutionCancelSignal();
		return (await node.execute?.call(this)) ?? null;
	};
	return {
		node: tested,
		listeners: () => (signal ? getEventListeners(signal, 'abort').length : NaN),
	};
}

const HEADS = [
	'answered',
	'failed',
	'unclear',
	'requests',
	'faults',
	'seconds',
	'peak MB',
	'left MB',
	'sockets',
	'timers',
	'listeners',
];
const row = (name: string, cells: ReadonlyArray<string | number>) =>
	figure(`${name.padEnd(34)}${cells.map((cell) => String(cell).padStart(10)).join('')}`);

beforeAll(() => {
	figure(`${ITEMS} items each, 1 of 50 meets a fault, 1 of 500 in batches`);
	row('', HEADS);
});

const NAMES = [
	'platform project getAll',
	'tonFee fee estimate',
	'witnessWallet witness vote',
	'witnessWallet witness broadcast',
	'evmRpc account getBalance',
	'evmRpc transaction send',
	'trace trace filter',
	'l2Simulate simulation simulate',
	'faucet faucet request',
	'ipfsPin pin upload',
	'ipfsPin pin uploadJson',
];

test.each(NAMES)('%s', async (name) => {
	const operation = operations.find((one) => one.name === name) as Operation;
	await soak(operation, 100);
	const before = { ...countHandles(), memory: measureMemory() };
	const peak = watchMemory();
	const begun = performance.now();
	const { answered, failed, unclear, wrong, report, listeners } = await soak(operation, ITEMS);
	const seconds = (performance.now() - begun) / 1000;
	const most = peak();
	// The sockets of the last requests need a moment to close.
	await waitUntil(() => {
		const { sockets, timers } = countHandles();
		return sockets <= before.sockets && timers <= before.timers;
	});
	const { open } = await ask<Report>('report');
	const after = countHandles();
	const left = measureMemory() - before.memory;
	row(name, [
		answered,
		failed,
		unclear,
		report.requests,
		report.faults,
		seconds.toFixed(1),
		most.toFixed(0),
		left.toFixed(1),
		after.sockets - before.sockets,
		after.timers - before.timers,
		listeners,
	]);
	expect(wrong).toEqual([]);
	expect(answered + failed).toBe(ITEMS);
	expect({ open, listeners }).toEqual({ open: 0, listeners: 0 });
	expect(left).toBeLessThan(MOST_LEFT);
	expect(most).toBeLessThan(MOST_AT_PEAK);
});
