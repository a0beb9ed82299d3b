import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from '../../demo/queue/queueMode.mts';
import type { Part } from '../../demo/run/part.mts';
import { promisify } from 'node:util';
import { demo } from '../e2e/world.mts';
import { rows } from './database.mts';

const PATIENCE = 60_000;

/** What n8n is made of here. */
export function queue(): Queue {
	if (!('workers' in demo.n8n)) throw new Error('n8n does not run in queue mode');
	return demo.n8n as Queue;
}

/** Ends parts as a power cut does, and starts them again after a while. */
export async function crash(parts: readonly Part[], down: number): Promise<void> {
	await Promise.all(parts.map((part) => part.kill()));
	await sleep(down);
	await Promise.all(parts.map((part) => part.start()));
}

/** n8n needs a while to come back to its database. */
export async function isBack(): Promise<void> {
	for (const deadline = Date.now() + PATIENCE; Date.now() < deadline; await sleep(250)) {
		const { ok } = await fetch(`${demo.url}/healthz/readiness`);
		if (ok) return;
	}
	throw new Error('n8n has not come back to its database');
}

/** Stops all processes of PostgreSQL where they are; they know nothing of it, and connections stay open. Gives what lets them go on. */
export async function freeze(): Promise<() => void> {
	const [found] = await rows<{ folder: string }>(
		`SELECT current_setting('data_directory') AS folder`,
	);
	const [first = ''] = (await readFile(join(found?.folder ?? '', 'postmaster.pid'), 'utf8')).split(
		'\n',
	);
	process.kill(Number(first), 'SIGSTOP');
	const { stdout } = await promisify(execFile)('pgrep', ['-P', first]);
	const all = [...stdout.trim().split('\n'), first].map(Number);
	const send = (signal: NodeJS.Signals) => {
		for (const pid of all) process.kill(pid, signal);
	};
	send('SIGSTOP');
	return () => send('SIGCONT');
}
