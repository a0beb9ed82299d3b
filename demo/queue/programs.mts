import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Trouble } from '../tools/trouble.mjs';

export interface Programs {
	redis: string;
	initdb: string;
	postgres: string;
	psql: string;
}

/** Where Debian and Ubuntu put PostgreSQL: not on the path, a folder for each version. */
const DEBIAN = '/usr/lib/postgresql';

/** What of the two is not on this machine; nothing if all is. */
export function missingPrograms(): string[] {
	const { redis, initdb, postgres, psql } = found();
	const isThere = initdb && postgres && psql;
	return [...(redis ? [] : ['redis-server']), ...(isThere ? [] : ['PostgreSQL'])];
}

/** The system's own Redis and PostgreSQL. */
export function findPrograms(): Programs {
	const missing = missingPrograms();
	if (missing.length === 0) return found() as Programs;
	throw new Trouble(
		`Queue mode needs Redis and PostgreSQL, and ${missing.join(' and ')} cannot be found. ` +
			'On Debian and Ubuntu: apt-get install redis-server postgresql. On macOS: brew install redis postgresql. ' +
			'With a container engine: docker compose up.',
	);
}

function found(): Partial<Programs> {
	const onPath = (process.env.PATH ?? '').split(delimiter);
	const find = (name: string) =>
		[...debianFolders(), ...onPath].map((folder) => join(folder, name)).find(isProgram);
	return {
		...{ redis: find('redis-server'), initdb: find('initdb') },
		...{ postgres: find('postgres'), psql: find('psql') },
	};
}

/** The newest version first. */
function debianFolders(): string[] {
	try {
		const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
		return versions.map((version) => join(DEBIAN, version, 'bin'));
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
