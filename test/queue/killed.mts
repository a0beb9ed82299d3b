import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../../demo/run/serviceProcess.mts';
import { control, demo } from '../e2e/world.mts';
import { executionsThatAre } from './database.mts';
import { height, mineEvery } from './miner.mts';
import { crash, isBack, queue } from './parts.mts';
import { beginAll, endsOf, requestsOf, spendings, type Spending } from './spending.mts';
import { assertEmitted, endsOfAll, waitUntilEmitted, watchChain, type Watch } from './watch.mts';

const DOWN = 3000;
const OUTAGES = 3;
/** The pause between two outages. n8n needs about ten seconds to reconnect to its database. */
const BETWEEN = 12_000;
const BLOCKS = 300;

describe('while requests wait for their answers and blocks are emitted', () => {
	let all: Spending[];
	let watches: Watch[];
	let times = 0;
	/** The block heights at the start of each test, and at the end of the last test. */
	const heights: number[] = [];

	before(async () => {
		await control('DELETE', '/record');
		all = await spendings();
		watches = await watchChain();
	});
	after(async () => {
		await control('DELETE', '/faults');
		for (const { id } of watches) await demo.api.deactivate(id);
	});

	function isKilled(name: string, parts: () => ServiceProcess[]): void {
		it(`${name} killed: no faucet request, pin or broadcast is sent twice`, async (t) => {
			heights.push(await height());
			const stopMining = mineEvery(500);
			await beginAll(all);
			await crash(parts(), DOWN);
			await isBack();
			const ends = await endsOf(all);
			await stopMining();
			t.diagnostic(all.map((one, index) => `${one.name}: ${ends[index]}`).join(', '));
			times++;
			assert.deepEqual(await requestsOf(all), [times, times, times]);
		});
	}

	isKilled('both workers', () => queue().workers);
	isKilled('Redis', () => [queue().redis]);
	isKilled('PostgreSQL', () => [queue().postgres]);

	it('PostgreSQL killed three times under ten blocks a second', async (t) => {
		const begin = await height();
		heights.push(begin);
		const stopMining = mineEvery(100);
		for (let outage = 0; outage < OUTAGES; outage++) {
			await sleep(BETWEEN);
			await crash([queue().postgres], DOWN);
		}
		await isBack();
		while ((await height()) < begin + BLOCKS) await sleep(100);
		await stopMining();
		t.diagnostic(`${(await height()) - begin} blocks, each with a log`);
	});

	it('the triggers have caught up', async () => {
		const until = [...heights, await height()];
		const tallies = await Promise.all(
			watches.map(async (watch) => await waitUntilEmitted(watch, until)),
		);
		assert.deepEqual(
			tallies.flat().flatMap(({ lost }) => lost),
			[],
		);
	});

	// This test comes last, because a main process that starts continues the executions that n8n has left unfinished.
	isKilled('the main process', () => [queue().main]);

	it('no block and no log is lost or doubled', async (t: TestContext) => {
		heights.push(await height());
		await assertEmitted(watches, heights, (line) => t.diagnostic(line));
	});

	it('what n8n has left undone counts as crashed, and can be run again', async (t: TestContext) => {
		for (const line of await endsOfAll(watches)) t.diagnostic(line);
		assert.deepEqual(await executionsThatAre('new', 'running'), []);
		// Only an execution of a watching workflow is run again. On a fast machine, perhaps no execution has crashed.
		const crashed = await executionsThatAre('crashed');
		const emitted = crashed.filter(({ workflowId }) => watches.some(({ id }) => id === workflowId));
		for (const { id } of emitted.slice(0, 1)) {
			const { status } = await demo.api.ask<{ status: string }>(
				'POST',
				`/executions/${id}/retry`,
				{},
			);
			assert.equal(status, 'success');
		}
	});
});
