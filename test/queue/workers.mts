import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { getLogFile } from '../../demo/queue/log.mts';
import { logs } from '../e2e/logs.mts';
import { rows } from './database.mts';

const STARTED = /Worker started execution (\d+) /g;

async function startedOn(worker: string): Promise<string[]> {
	const log = await readFile(getLogFile(worker), 'utf8');
	return [...log.matchAll(STARTED)].map(([, id = '']) => id);
}

const inOrder = (ids: readonly string[]) => [...ids].sort((a, b) => Number(a) - Number(b));

describe('the workers', () => {
	it('have run each of these operations, one of them each', async (t) => {
		const all = await rows<{ id: number; status: string }>(
			'SELECT id, status FROM execution_entity ORDER BY id',
		);
		const [first, second] = await Promise.all([startedOn('worker-1'), startedOn('worker-2')]);
		assert.deepEqual(
			inOrder([...first, ...second]),
			all.map(({ id }) => String(id)),
		);
		assert.ok(all.every(({ status }) => status === 'success'));
		assert.ok(first.length > 0 && second.length > 0);
		assert.doesNotMatch(await logs(), STARTED);
		t.diagnostic(`${first.length} executions on one worker, ${second.length} on the other`);
	});
});
