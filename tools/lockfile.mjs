import { readNpmSetting } from './npm.mjs';

const FOLDER = 'node_modules/';

/**
 * Returns the packages of a lockfile with the addresses of their files.
 * Without addresses, npm asks the registry about every version that each package ever had. A file has the same path in
 * every registry.
 */
export function addAddresses(packages, registry = readNpmSetting('registry')) {
	const base = registry.replace(/\/$/, '');
	const entries = Object.entries(packages).map(([path, entry]) => {
		if (!path.includes(FOLDER) || entry.link || entry.resolved) return [path, entry];
		const name = entry.name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
		const file = `${name.split('/').pop()}-${entry.version}.tgz`;
		return [path, { ...entry, resolved: `${base}/${name}/-/${file}` }];
	});
	return Object.fromEntries(entries);
}

/**
 * Returns the packages of a lockfile that the given packages need, including the given packages. Optional peers are
 * left out.
 */
export function pickNeeded(packages, roots) {
	const paths = new Set(roots);
	// The loop over the set also visits the paths that are added while it runs.
	for (const path of paths) {
		for (const name of listNeeded(packages[path])) {
			const found = findPackage(packages, path, name);
			if (!found) continue;
			paths.add(found);
			if (packages[found].link) paths.add(packages[found].resolved);
		}
	}
	return Object.fromEntries([...paths].sort().map((path) => [path, packages[path]]));
}

function listNeeded({ dependencies, devDependencies, optionalDependencies, ...entry }) {
	const { peerDependencies = {}, peerDependenciesMeta = {} } = entry;
	const peers = Object.keys(peerDependencies).filter(
		(name) => !peerDependenciesMeta[name]?.optional,
	);
	const others = [dependencies, devDependencies, optionalDependencies];
	return [...others.flatMap((list) => Object.keys(list ?? {})), ...peers];
}

/** Finds a package as Node does. It looks beside the package that needs it, then beside each folder above. */
export function findPackage(packages, from, name) {
	const parts = from === '' ? [] : from.split('/');
	for (; ; parts.pop()) {
		const path = [...parts, 'node_modules', ...name.split('/')].join('/');
		if (parts.at(-1) !== 'node_modules' && packages[path]) return path;
		if (parts.length === 0) return undefined;
	}
}
