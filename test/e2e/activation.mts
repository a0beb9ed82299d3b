import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { node, ours, save, TESTED, to } from './workflows.mts';
import { demo } from './world.mts';

interface Listed {
	id: string;
	status: string;
	mode: string;
}

const SCHEDULE = 'Every Second';
const PATIENCE = 20_000;

describe('a workflow on a schedule', () => {
	it('is activated, runs by itself with our nodes, and is deactivated', async () => {
		const rule = { interval: [{ field: 'seconds', secondsInterval: 1 }] };
		const type = 'n8n-nodes-base.scheduleTrigger';
		const schedule = node(SCHEDULE, type, { rule }, { typeVersion: 1.2 });
		const read = ours('evmRpc', 'token', { resource: 'block', operation: 'get' });
		const id = await save({ nodes: [schedule, read], connections: { [SCHEDULE]: to(TESTED) } });

		const { versionId } = await demo.api.ask<{ versionId: string }>('GET', `/workflows/${id}`);
		const { active } = await change(id, 'activate', { versionId });
		assert.equal(active, true);
		const { mode, status } = await firstRun(id);
		assert.deepEqual([mode, status], ['trigger', 'success']);

		assert.equal((await change(id, 'deactivate', {})).active, false);
	});
});

async function change(id: string, what: string, body: object): Promise<{ active: boolean }> {
	return await demo.api.ask('POST', `/workflows/${id}/${what}`, body);
}

async function firstRun(workflowId: string): Promise<Listed> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const deadline = Date.now() + PATIENCE;
	while (Date.now() < deadline) {
		const { results } = await demo.api.ask<{ results: Listed[] }>(
			'GET',
			`/executions?filter=${filter}`,
		);
		const done = results.find(({ status }) => !['new', 'running'].includes(status));
		if (done) return done;
		await sleep(250);
	}
	throw new Error('The schedule has started nothing');
}
