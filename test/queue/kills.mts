import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { demo } from '../e2e/world.mts';
import { freeze } from './freeze.mts';
import { height, mineEvery } from './miner.mts';
import { crash, isBack, queue } from './parts.mts';
import { assertEmitted, watchChain, type Watch } from './watch.mts';

/** The number of kills. The long form is `QUEUE_KILLS=25 QUEUE_FREEZE=320 npm run test:queue`. */
const KILLS = Number(process.env.QUEUE_KILLS ?? 3);
/** The time in seconds for which PostgreSQL is frozen. n8n's statements on PostgreSQL may take 300 seconds. */
const FREEZE = Number(process.env.QUEUE_FREEZE ?? 5);
const DOWN = 500;
/**
 * The pause between two kills. A restarted process needs a moment to take over its workflows, and each kill should hit
 * another moment.
 */
const BETWEEN = 3000;

describe('under ten blocks a second, each with a log', () => {
	let watches: Watch[];

	before(async () => {
		const all = await watchChain();
		watches = all.filter(({ polls }) => !polls);
		for (const { id } of all.filter(({ polls }) => polls)) await demo.api.deactivate(id);
	});
	after(async () => {
		for (const { id } of watches) await demo.api.deactivate(id);
	});

	function isTold(what: string, trouble: () => Promise<void>): void {
		it(`${what}: no block and no log is lost or doubled`, async (t) => {
			const heights = [await height()];
			const stopMining = mineEvery(100);
			await trouble();
			await isBack();
			await sleep(BETWEEN);
			await stopMining();
			heights.push(await height());
			await assertEmitted(watches, heights, (line) => t.diagnostic(line));
		});
	}

	isTold(`the main process killed ${KILLS} times`, async () => {
		assert.ok(KILLS > 0);
		for (let kills = 0; kills < KILLS; kills++) {
			await sleep(BETWEEN + Math.random() * BETWEEN);
			await crash([queue().main], DOWN);
			await isBack();
		}
	});

	isTold(`PostgreSQL frozen for ${FREEZE} seconds`, async () => {
		await sleep(BETWEEN);
		const thaw = await freeze();
		await sleep(FREEZE * 1000).finally(thaw);
	});
});
