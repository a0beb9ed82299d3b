import './folder.mts';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { logFile, n8nHome, userFolder } from '../../tools/paths.mjs';

const home = join(userFolder, '.n8n');

/**
 * Returns everything that n8n has printed so far. The path of n8n is shortened, because it contains the name of our
 * package.
 */
export async function logs(): Promise<string> {
	return (await readFile(logFile, 'utf8')).replaceAll(n8nHome, 'n8n');
}

/** Reads the files of n8n's database, including its write-ahead log. */
export async function database(): Promise<Buffer[]> {
	const names = (await readdir(home)).filter((name) => name.startsWith('database.sqlite'));
	return await Promise.all(names.map((name) => readFile(join(home, name))));
}

/** Returns the content of all log files, including n8n's log of events. */
export async function allLogs(): Promise<string> {
	const names = (await readdir(home)).filter((name) => name.endsWith('.log'));
	const kept = await Promise.all(names.map((name) => readFile(join(home, name), 'utf8')));
	return [await logs(), ...kept].join('\n');
}
