import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findHolder, releaseLock, acquireLock } from './pidLock.mjs';

const RETRY_INTERVAL_MS = 500;

/** Runs a job that no two processes may run at the same time: the others wait. The lock of a process that has ended does not count. */
export async function withLock(file, job) {
	mkdirSync(dirname(file), { recursive: true });
	for (let reportedHolder = 0; !acquireLock(file); await sleep(RETRY_INTERVAL_MS)) {
		const holder = findHolder(file);
		if (holder === reportedHolder) continue;
		if (holder > 0) console.log(`  process ${holder} is at it already; this one waits for it`);
		reportedHolder = holder;
	}
	const end = () => releaseLock(file);
	process.once('exit', end);
	try {
		return await job();
	} finally {
		process.off('exit', end);
		end();
	}
}
