import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { UserError } from '../../tools/userError.mjs';

export interface Programs {
	redis: string;
	initdb: string;
	postgres: string;
	psql: string;
}

/**
 * The folder where Debian and Ubuntu install PostgreSQL. It has a subfolder for each version and is not in the path.
 */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** Lists the programs that are missing on this machine. */
export function findMissingPrograms(): string[] {
	const { redis, initdb, postgres, psql } = lookForPrograms();
	const isThere = initdb && postgres && psql;
	return [...(redis ? [] : ['redis-server']), ...(isThere ? [] : ['PostgreSQL'])];
}

/** Returns the installed Redis and PostgreSQL. Throws if a program is missing. */
export function requirePrograms(): Programs {
	const missing = findMissingPrograms();
	if (missing.length === 0) return lookForPrograms() as Programs;
	throw new UserError(
		`Queue mode needs Redis and PostgreSQL, but ${missing.join(' and ')} cannot be found. ` +
			'On Debian and Ubuntu: apt-get install redis-server postgresql. On macOS: brew install redis postgresql. ' +
			'To run everything in containers: docker compose up --build (docs/scaling.md says more).',
	);
}

function lookForPrograms(): Partial<Programs> {
	const onPath = (process.env.PATH ?? '').split(delimiter);
	const find = (name: string) =>
		[...findDebianFolders(), ...onPath].map((folder) => join(folder, name)).find(isProgram);
	return {
		redis: find('redis-server'),
		initdb: find('initdb'),
		postgres: find('postgres'),
		psql: find('psql'),
	};
}

/** The newest version comes first. */
function findDebianFolders(): string[] {
	try {
		const versions = readdirSync(DEBIAN_FOLDER).sort((a, b) => Number(b) - Number(a));
		return versions.map((version) => join(DEBIAN_FOLDER, version, 'bin'));
	} catch {
		return [];
	}
}

function isProgram(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
