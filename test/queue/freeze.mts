import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rows } from './database.mts';

/** Stops all processes of PostgreSQL, but leaves their connections open. Returns a function that continues them. */
export async function freeze(): Promise<() => void> {
	const main = await postmaster();
	// The main process is stopped first, so that it cannot start further processes.
	process.kill(main, 'SIGSTOP');
	const { stdout } = await promisify(execFile)('pgrep', ['-P', String(main)]);
	const all = [...stdout.trim().split('\n').map(Number), main];
	for (const pid of all) process.kill(pid, 'SIGSTOP');
	return () => all.forEach((pid) => process.kill(pid, 'SIGCONT'));
}

async function postmaster(): Promise<number> {
	const query = `SELECT current_setting('data_directory') AS folder`;
	const [found] = await rows<{ folder: string }>(query);
	const [pid] = (await readFile(join(found?.folder ?? '', 'postmaster.pid'), 'utf8')).split('\n');
	return Number(pid);
}
