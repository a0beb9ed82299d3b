import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from './paths.mjs';
import { Trouble } from './trouble.mjs';

const file = join(dataFolder, 'running');

/** Two demos cannot share one n8n's data. The claim of a process that is gone does not count. */
export function claimData() {
	const holder = Number(read());
	if (holder && isRunning(holder)) {
		throw new Trouble(`The demo is already running, as process ${holder}: stop it first.`);
	}
	mkdirSync(dataFolder, { recursive: true });
	writeFileSync(file, String(process.pid));
	process.once('exit', () => rmSync(file, { force: true }));
}

function read() {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}

function isRunning(pid) {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
