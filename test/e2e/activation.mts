import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionSummary } from '../../demo/run/api.mts';
import { node, ours, save, TESTED, to } from './workflows.mts';
import { demo } from './world.mts';

const SCHEDULE = 'Every Second';
const PATIENCE = 60_000;

describe('a workflow on a schedule', () => {
	it('is activated, runs by itself with our nodes, and is deactivated', async () => {
		const rule = { interval: [{ field: 'seconds', secondsInterval: 1 }] };
		const type = 'n8n-nodes-base.scheduleTrigger';
		const schedule = node(SCHEDULE, type, { rule }, { typeVersion: 1.2 });
		const read = ours('evmRpc', 'token', { resource: 'block', operation: 'get' });
		const id = await save({ nodes: [schedule, read], connections: { [SCHEDULE]: to(TESTED) } });

		await demo.api.activate(id);
		assert.equal(await isActive(id), true);
		const { mode, status } = await firstRun(id);
		assert.deepEqual([mode, status], ['trigger', 'success']);

		await demo.api.deactivate(id);
		assert.equal(await isActive(id), false);
	});
});

async function isActive(id: string): Promise<boolean> {
	return (await demo.api.ask<{ active: boolean }>('GET', `/workflows/${id}`)).active;
}

async function firstRun(workflowId: string): Promise<ExecutionSummary> {
	const deadline = Date.now() + PATIENCE;
	while (Date.now() < deadline) {
		const started = await demo.api.executions(workflowId);
		const done = started.find(({ status }) => !['new', 'running'].includes(status));
		if (done) return done;
		await sleep(250);
	}
	throw new Error('The schedule has started nothing');
}
