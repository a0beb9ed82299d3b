import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { holderOf, leave, take } from './hold.mjs';
import { dataFolder, userFolder } from './paths.mjs';
import { Trouble } from './trouble.mjs';

const file = join(dataFolder, 'running');
const FOREIGN = ['EACCES', 'EPERM', 'EROFS'];

/** Two demos cannot share one n8n's data. The claim of a process that is gone does not count. */
export function claimData() {
	try {
		checkFree();
		checkOwner();
		while (!take(file)) checkFree();
	} catch (error) {
		if (!FOREIGN.includes(error.code)) throw error;
		throw new Trouble(
			`${error.path} cannot be written to (${error.code}): the demo's data belongs to another user. Make ${dataFolder} yours, remove it, or name another folder in CHAIN_INFRA_DATA.`,
		);
	}
	process.once('exit', () => leave(file));
}

function checkFree() {
	const holder = holderOf(file);
	if (holder === 0) return;
	throw new Trouble(`The demo is already running, as process ${holder}: stop it first.`);
}

/** Files of another user would stop n8n or npm somewhere in the middle. */
function checkOwner() {
	mkdirSync(dataFolder, { recursive: true });
	const folders = [dataFolder, userFolder, join(userFolder, '.n8n')].filter(existsSync);
	const inside = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
	for (const path of [...folders, ...inside].filter(existsSync)) accessSync(path, constants.W_OK);
}
