import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The path of a file that npm writes when an installation is complete. */
export const getInstalledList = (home) => join(home, 'node_modules', '.package-lock.json');

export const isNpmInstalled = (home) => existsSync(getInstalledList(home));

/** Reads a setting of npm, such as the folder of its cache. */
export function readNpmSetting(name) {
	const options = { encoding: 'utf8', shell: process.platform === 'win32' };
	return execFileSync('npm', ['config', 'get', name], options).trim();
}
