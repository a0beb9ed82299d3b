import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findHolder, releaseLock, acquireLock } from './pidLock.mjs';
import { dataFolder, userFolder } from './paths.mjs';
import { UserError } from './userError.mjs';

const LOCK_FILE = join(dataFolder, 'running');
const DENIED_CODES = ['EACCES', 'EPERM', 'EROFS'];

/** Two demos cannot share one n8n's data. The lock of a process that has ended does not count. */
export function lockData() {
	try {
		checkUnlocked();
		checkOwner();
		while (!acquireLock(LOCK_FILE)) checkUnlocked();
	} catch (error) {
		if (!DENIED_CODES.includes(error.code)) throw error;
		throw new UserError(
			`${error.path} cannot be written to (${error.code}): the demo's data belongs to another user. Make ${dataFolder} yours, remove it, or name another folder in CHAIN_INFRA_DATA.`,
		);
	}
	process.once('exit', () => releaseLock(LOCK_FILE));
}

function checkUnlocked() {
	const holder = findHolder(LOCK_FILE);
	if (holder === 0) return;
	throw new UserError(`The demo is already running, as process ${holder}: stop it first.`);
}

/** Files of another user would stop n8n or npm at some later point. */
function checkOwner() {
	mkdirSync(dataFolder, { recursive: true });
	const folders = [dataFolder, userFolder, join(userFolder, '.n8n')].filter(existsSync);
	const inside = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
	for (const path of [...folders, ...inside].filter(existsSync)) accessSync(path, constants.W_OK);
}
