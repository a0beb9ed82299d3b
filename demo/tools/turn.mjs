import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { holderOf, leave, take } from './hold.mjs';

const EVERY = 500;

/**
 * Does something that no two processes may do at the same time: the others wait. The turn of a process that is gone
 * does not count.
 */
export async function inTurn(file, job) {
	mkdirSync(dirname(file), { recursive: true });
	for (let told = 0; !take(file); await sleep(EVERY)) {
		const holder = holderOf(file);
		if (holder === told) continue;
		if (holder > 0) console.log(`  process ${holder} is at it already; this one waits for it`);
		told = holder;
	}
	const end = () => leave(file);
	process.once('exit', end);
	try {
		return await job();
	} finally {
		process.off('exit', end);
		end();
	}
}
