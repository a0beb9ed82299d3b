import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** npm writes this file once the installation is complete. */
export function isNpmInstalled(home) {
	return existsSync(join(home, 'node_modules', '.package-lock.json'));
}

/** Returns how many packages of a lockfile are installed, of those that every system needs. */
export function createInstallProgress(home) {
	const { packages } = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'));
	const files = Object.entries(packages)
		.filter(([folder, { link, optional }]) => /node_modules\//.test(folder) && !link && !optional)
		.map(([folder]) => join(home, folder, 'package.json'));
	return () => {
		const count = files.filter((file) => existsSync(file)).length;
		return count === 0 ? 'npm makes ready' : `${count} of ${files.length} packages`;
	};
}
