import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { isLocked, n8nHome, n8nPackage, n8nVersion } from '../../tools/paths.mjs';
import { runProgram } from '../../tools/processes.mjs';
import { createInstallProgress } from '../../tools/installProgress.mjs';
import { addAddresses, pickNeeded } from '../../tools/lockfile.mjs';
import { isNpmInstalled } from '../../tools/npm.mjs';
import { formatStep, runStep } from '../../tools/progress.mjs';
import { UserError } from '../../tools/userError.mjs';
import { withLock } from '../../tools/folderLock.mjs';
import { findNodeWithHeaders } from './headers.mjs';
import { findOrInstallNode24 } from './node.mjs';
import { removeUnusedFiles } from './prune.mjs';

const FINISHED_FILE = join(n8nHome, '.finished');
/**
 * The npm cache for the installation of n8n. It is removed afterwards, because n8n's lockfile can restore all packages.
 */
const NPM_CACHE = join(n8nHome, '.npm');
/** The folder where the driver is built, beside the installation of n8n. */
const DRIVER_HOME = join(n8nHome, 'driver');
const DRIVER = join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
const DRIVER_FINISHED = '.finished';
const BUILDING_TITLE = 'Building the database driver of n8n';
/** The timeout for npm's requests. Without it, npm would wait five minutes for a registry that does not answer. */
const SHORT_TIMEOUT = ['--fetch-timeout=30000'];
const NO_REGISTRY_TEXT =
	'n8n could not be downloaded, because the package registry cannot be reached. Check the network and start again.';
const NO_HEADERS_TEXT =
	'The database driver of n8n could not be built, because the headers of Node.js are not on this computer and cannot be downloaded. Check the network, or set nodedir of npm to the folder of a Node.js with headers (include/node). Then start again.';
const NO_COMPILER_TEXT =
	'The database driver of n8n could neither be downloaded nor built. Building it needs Python 3, make and a C++ compiler. Install these programs, or check the network. Then start again.';

/** Installs n8n and a matching Node once for all clones of the repository. */
export async function installN8n() {
	if (!existsSync(FINISHED_FILE)) await withLock(n8nHome, installOnce);
	else reportInstalled();
	const node = await findOrInstallNode24();
	return {
		node,
		script: join(n8nHome, 'node_modules', 'n8n', 'bin', 'n8n'),
		env: {
			...process.env,
			// n8n's task runners start `node` by its name, so the folder of the chosen Node comes first in the path.
			PATH: [dirname(node), process.env.PATH].join(delimiter),
			// The compile cache halves the time of n8n's start, from the second start on.
			NODE_COMPILE_CACHE: join(n8nHome, 'compiled'),
		},
	};
}

function reportInstalled() {
	console.log(formatStep('n8n', `n8n ${n8nVersion} is installed`));
	console.log(formatStep('driver', 'The database driver of n8n is built'));
}

/** Continues an interrupted installation. Complete parts are kept, and npm has its downloads in its cache. */
async function installOnce() {
	// Another start may have finished the installation while this start waited.
	if (existsSync(FINISHED_FILE)) return reportInstalled();
	await mkdir(DRIVER_HOME, { recursive: true });
	for (const home of [n8nHome, DRIVER_HOME])
		await copyFile(join(n8nPackage, '.npmrc'), join(home, '.npmrc'));
	const building = isLocked ? installDriver() : undefined;
	await Promise.all([downloadUnlessDone(), building]);
	if (isLocked) await cp(join(DRIVER_HOME, DRIVER), join(n8nHome, DRIVER), { recursive: true });
	else await runStep('driver', BUILDING_TITLE, async () => await buildDriver(n8nHome));
	for (const folder of [NPM_CACHE, DRIVER_HOME]) await rm(folder, { recursive: true, force: true });
	await writeFile(FINISHED_FILE, '');
}

/**
 * Builds the database driver in a folder of its own while n8n is downloaded. Of all packages of n8n, only the driver
 * needs its install script.
 */
async function installDriver() {
	if (existsSync(join(DRIVER_HOME, DRIVER_FINISHED)))
		return console.log(formatStep('driver', 'The database driver of n8n is built'));
	await runStep('driver', BUILDING_TITLE, async () => {
		const { packages } = await readLockfile();
		const found = pickNeeded(packages, ['node_modules/sqlite3']);
		const manifest = {
			private: true,
			dependencies: { sqlite3: found['node_modules/sqlite3'].version },
		};
		await writeLocked(DRIVER_HOME, manifest, found);
		// The optional dependency of the database driver is an old build tool, which npm has in a newer version.
		const options = ['ci', '--ignore-scripts', '--omit=optional'];
		await runNpm([...options, '--cache', join(DRIVER_HOME, '.npm')], { cwd: DRIVER_HOME });
		await buildDriver(DRIVER_HOME);
		await writeFile(join(DRIVER_HOME, DRIVER_FINISHED), '');
	});
}

async function buildDriver(home) {
	const nodedir = findNodeWithHeaders();
	const env = nodedir ? { ...process.env, npm_config_nodedir: nodedir } : process.env;
	const options = ['rebuild', 'sqlite3', '--ignore-scripts=false'];
	await runNpm(options, { cwd: home, env, withoutNetwork: NO_HEADERS_TEXT });
}

async function downloadUnlessDone() {
	if (isNpmInstalled(n8nHome)) console.log(formatStep('n8n', `n8n ${n8nVersion} is downloaded`));
	else await download();
}

async function download() {
	const words = `Installing n8n ${n8nVersion}, 1.7 GB, once for all clones of this repository`;
	const { packages } = await readLockfile();
	const howFar = isLocked ? createInstallProgress(n8nHome, packages, NPM_CACHE) : undefined;
	await runStep(
		'n8n',
		words,
		async () => {
			// npm would take the folder of an interrupted installation for a complete folder, so the folder is removed.
			await rm(join(n8nHome, 'node_modules'), { recursive: true, force: true });
			// This single request fails at once without a registry. An installation would retry for many minutes.
			await runNpm(['view', `n8n@${n8nVersion}`, 'version', '--fetch-retries=0', ...SHORT_TIMEOUT]);
			await (isLocked ? installLocked(packages) : installWithoutLockfile());
			await removeUnusedFiles(join(n8nHome, 'node_modules'));
		},
		howFar,
	);
}

async function installLocked(packages) {
	const manifest = JSON.parse(await readFile(join(n8nPackage, 'package.json'), 'utf8'));
	await writeLocked(n8nHome, manifest, packages);
	await runNpm(['ci', '--ignore-scripts', '--cache', NPM_CACHE]);
}

async function readLockfile() {
	return JSON.parse(await readFile(join(n8nPackage, 'package-lock.json'), 'utf8'));
}

/** Writes the manifest and the lockfile of a folder, so that npm can install the packages in it. */
async function writeLocked(home, manifest, packages) {
	const own = { ...(await readLockfile()), packages: { ...addAddresses(packages), '': manifest } };
	await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
	await writeFile(join(home, 'package-lock.json'), JSON.stringify(own));
}

/**
 * Installs a version of n8n with the newest allowed dependencies. The registry lacks the version of the spreadsheet
 * library xlsx that n8n wants, so another version replaces it.
 */
async function installWithoutLockfile() {
	const manifest = {
		private: true,
		dependencies: { n8n: n8nVersion },
		overrides: { xlsx: '0.18.5' },
	};
	await writeFile(join(n8nHome, 'package.json'), JSON.stringify(manifest));
	await runNpm(['install', '--ignore-scripts', '--cache', NPM_CACHE]);
}

async function runNpm(options, settings = {}) {
	const { cwd = n8nHome, env = process.env, withoutNetwork = NO_REGISTRY_TEXT } = settings;
	try {
		await runProgram('npm', [...options, '--loglevel', 'error'], { cwd, env });
	} catch (error) {
		if (/ENOSPC/.test(error.message)) {
			throw new UserError(
				`There is no space left in ${n8nHome}. n8n takes 4 GB while it is installed. Free some space, and start again.`,
			);
		}
		const missing = /No matching version found for (\S+?)\.?$/m.exec(error.message)?.[1];
		if (missing) {
			throw new UserError(
				`n8n ${n8nVersion} cannot be installed, because it needs ${missing}, which the package registry does not have.`,
			);
		}
		if (/find Python|not found: make|g\+\+|c\+\+: (?:command )?not found/.test(error.message))
			throw new UserError(NO_COMPILER_TEXT);
		if (!/ENOTFOUND|EAI_AGAIN|ECONN|ENETUNREACH|ETIMEDOUT|network/i.test(error.message))
			throw error;
		throw new UserError(withoutNetwork);
	}
}
