import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, n8nHome } from '../../tools/paths.mjs';
import { isNpmInstalled } from '../../tools/npm.mjs';
import { runProgram } from '../../tools/processes.mjs';
import { withLock } from '../../tools/folderLock.mjs';

/** The major version of Node that n8n needs. */
const NODE_MAJOR = 24;
const isWindows = process.platform === 'win32';
const PACKAGE_NAME = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
const OWN_HOME = join(cacheFolder, `node-${NODE_MAJOR}`);

/**
 * Finds the Node that n8n needs: the one that was installed with n8n, the Node of this process, or the one that an
 * earlier start installed. Otherwise installs one.
 */
export async function findOrInstallNode24() {
	return findNode() ?? (await withLock(OWN_HOME, installNode));
}

async function installNode() {
	// Another start may have finished the installation while this start waited.
	const known = findNode();
	if (known) return known;
	// An interrupted installation may have left an incomplete program.
	await rm(join(OWN_HOME, 'node_modules'), { recursive: true, force: true });
	const options = ['install', '--prefix', OWN_HOME, '--ignore-scripts', '--loglevel', 'error'];
	await runProgram('npm', [...options, `${PACKAGE_NAME}@${NODE_MAJOR}`], { cwd: OWN_HOME });
	return findNode();
}

function findNode() {
	const own = Number(process.versions.node.split('.')[0]) === NODE_MAJOR ? [process.execPath] : [];
	const [locked, later] = [n8nHome, OWN_HOME].map((home) =>
		isNpmInstalled(home)
			? [join(home, 'node_modules', PACKAGE_NAME, 'bin', isWindows ? 'node.exe' : 'node')]
			: [],
	);
	return [...locked, ...own, ...later].find((file) => existsSync(file));
}
