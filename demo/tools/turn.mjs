import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY = 500;
const [NOBODY, GONE] = [0, -1];

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
	const leave = () => rmSync(file, { force: true });
	process.once('exit', leave);
	try {
		return await job();
	} finally {
		process.off('exit', leave);
		leave();
	}
}

function take(file) {
	const own = `${file}-${process.pid}`;
	writeFileSync(own, String(process.pid));
	try {
		// At once with what stands in it, and not where there is one.
		linkSync(own, file);
		return true;
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
		if (holderOf(file) === GONE) rmSync(file, { force: true });
		return false;
	} finally {
		rmSync(own, { force: true });
	}
}

function holderOf(file) {
	try {
		const pid = Number(readFileSync(file, 'utf8'));
		return isRunning(pid) ? pid : GONE;
	} catch {
		return NOBODY;
	}
}

/** Whether there is another process with this number; where this one has it, that one is gone. */
export function isRunning(pid) {
	if (!(pid > 0) || pid === process.pid) return false;
	try {
		return process.kill(pid, 0);
	} catch ({ code }) {
		// It runs, for another user.
		return code === 'EPERM';
	}
}
