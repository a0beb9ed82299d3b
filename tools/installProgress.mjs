import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** npm writes this file once the installation is complete. */
export function isNpmInstalled(home) {
	return existsSync(join(home, 'node_modules', '.package-lock.json'));
}

/**
 * Returns how many packages of a lockfile are installed, of those that every system needs. npm puts the first in place
 * late: until then, the growth of its cache is reported.
 */
export function createInstallProgress(home, npmCache) {
	const { packages } = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'));
	const files = Object.entries(packages)
		.filter(([folder, { link, optional }]) => /node_modules\//.test(folder) && !link && !optional)
		.map(([folder]) => join(home, folder, 'package.json'));
	const sizeBefore = measureFolder(npmCache);
	return () => {
		const count = files.filter((file) => existsSync(file)).length;
		if (count > 0) return `${count} of ${files.length} packages`;
		const megabytes = Math.round((measureFolder(npmCache) - sizeBefore) / 1e6);
		return megabytes > 0 ? `${megabytes} MB downloaded` : 'npm reads its lockfile';
	};
}

/** Returns the bytes of all files in a folder; npm may be moving some of them. */
function measureFolder(folder) {
	const options = { recursive: true, withFileTypes: true };
	const entries = existsSync(folder) ? readdirSync(folder, options) : [];
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
		.reduce((total, stats) => total + (stats?.size ?? 0), 0);
}
