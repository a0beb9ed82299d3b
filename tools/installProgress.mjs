import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Creates a function that reports the progress of an installation: the number of installed packages among those that
 * every system needs.
 * npm puts the first package in place late. Until then, the function reports the growth of npm's cache.
 */
export function createInstallProgress(home, packages, npmCache) {
	const files = listNeededEverywhere(packages).map(([path]) => join(home, path, 'package.json'));
	const sizeBefore = measureFolder(npmCache);
	return () => {
		const count = files.filter((file) => existsSync(file)).length;
		if (count > 0) return `${count} of ${files.length} packages`;
		const megabytes = Math.round((measureFolder(npmCache) - sizeBefore) / 1e6);
		return megabytes > 0 ? `${megabytes} MB downloaded` : 'npm reads the list of packages';
	};
}

/**
 * Lists the packages that every system needs. It leaves out packages for some systems only, and folders of the
 * repository.
 */
export function listNeededEverywhere(packages) {
	return Object.entries(packages).filter(
		([path, { link, optional }]) => /node_modules\//.test(path) && !link && !optional,
	);
}

/** Returns the size of all files in a folder. npm may be moving some of them, so a missing file is no error. */
export function measureFolder(folder) {
	const options = { recursive: true, withFileTypes: true };
	const entries = existsSync(folder) ? readdirSync(folder, options) : [];
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
		.reduce((total, stats) => total + (stats?.size ?? 0), 0);
}
