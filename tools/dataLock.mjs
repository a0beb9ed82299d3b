import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock, nameHolder } from './folderLock.mjs';
import { dataFolder, userFolder } from './paths.mjs';
import { UserError } from './userError.mjs';

const DENIED_CODES = ['EACCES', 'EPERM', 'EROFS'];

/** Locks the data of the demo, because two demos cannot share the data of one n8n. */
export async function lockData() {
	try {
		mkdirSync(dataFolder, { recursive: true });
		if (!(await acquireLock(dataFolder))) await throwRunning();
		checkOwner();
	} catch (error) {
		if (!DENIED_CODES.includes(error.code)) throw error;
		throw new UserError(
			`${error.path} cannot be written to (${error.code}): the demo's data belongs to another user. Make ${dataFolder} yours, remove it, or name another folder in CHAIN_INFRA_DATA.`,
		);
	}
}

async function throwRunning() {
	const holder = await nameHolder(dataFolder);
	throw new UserError(`The demo is already running, as ${holder}: stop it first.`);
}

/** Checks the owner of the folders. Files of another user would stop n8n or npm later. */
function checkOwner() {
	const folders = [dataFolder, userFolder, join(userFolder, '.n8n')].filter(existsSync);
	const inside = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
	for (const path of [...folders, ...inside].filter(existsSync)) accessSync(path, constants.W_OK);
}
