import {
	accessSync,
	constants,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { dataFolder, userFolder } from './paths.mjs';
import { Trouble } from './trouble.mjs';
import { isRunning } from './turn.mjs';

const file = join(dataFolder, 'running');

/** Two demos cannot share one n8n's data. The claim of a process that is gone does not count. */
export function claimData() {
	const holder = Number(read());
	if (isRunning(holder)) {
		throw new Trouble(`The demo is already running, as process ${holder}: stop it first.`);
	}
	checkOwner();
	writeFileSync(file, String(process.pid));
	process.once('exit', () => rmSync(file, { force: true }));
}

/** Files of another user would stop n8n or npm somewhere in the middle. */
function checkOwner() {
	try {
		mkdirSync(dataFolder, { recursive: true });
		const folders = [dataFolder, userFolder, join(userFolder, '.n8n')].filter(existsSync);
		const inside = folders.flatMap((folder) =>
			readdirSync(folder).map((name) => join(folder, name)),
		);
		for (const path of [...folders, ...inside].filter(existsSync)) {
			accessSync(path, constants.W_OK);
		}
	} catch ({ code, path }) {
		throw new Trouble(
			`${path} cannot be written to (${code}): the demo's data belongs to another user. Make ${dataFolder} yours, remove it, or name another folder in CHAIN_INFRA_DATA.`,
		);
	}
}

function read() {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}
