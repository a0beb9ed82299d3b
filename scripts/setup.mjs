// This script installs the packages of the lockfile, unless they are installed. Every command runs it first, so a fresh
// clone needs only Node and npm.
// With `--demo` it installs only the packages that the demo needs, about a third of all.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInstallProgress, listNeededEverywhere } from '../tools/installProgress.mjs';
import { withLock } from '../tools/folderLock.mjs';
import { addAddresses, pickNeeded } from '../tools/lockfile.mjs';
import { getInstalledList, isNpmInstalled, readNpmSetting } from '../tools/npm.mjs';

const MIN_NODE = [20, 19];
const NO_RETRIES = ['--fetch-retries=0', '--fetch-timeout=30000'];
const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
/** The folder where npm installs packages. Only a complete installation is moved from here to its final place. */
const STAGING = join(root, '.cache', 'install');

checkNode();
const lockfile = await readJson(join(root, 'package-lock.json'));
const isWhole = process.argv[2] !== '--demo';
const packages = isWhole ? lockfile.packages : pickDemo(lockfile.packages);
if (!(await isInstalled())) await withLock(root, installPackages);

function checkNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	const [oldestMajor, oldestMinor] = MIN_NODE;
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
	fail(
		`Node.js ${MIN_NODE.join('.')} or newer is needed. This is Node.js ${process.versions.node}.`,
	);
}

/**
 * Picks the packages that the demo needs.
 * They are the dependencies of the workspaces. The root's manifest lists only packages for tests and tools, and n8n has
 * its own packages.
 */
function pickDemo({ '': { name, version, workspaces }, ...all }) {
	const folders = workspaces.map((folder) => [
		folder,
		{ ...all[folder], peerDependencies: undefined },
	]);
	const known = { ...all, ...Object.fromEntries(folders) };
	const links = Object.keys(known).filter((path) => known[path].link);
	return { '': { name, version, workspaces }, ...pickNeeded(known, [...workspaces, ...links]) };
}

/**
 * Returns whether the installed packages match the lockfile. Other changes in the lockfile do not start an
 * installation.
 */
async function isInstalled() {
	if (!isNpmInstalled(root)) return false;
	const installed = (await readJson(getInstalledList(root))).packages;
	return listNeededEverywhere(packages).every(
		([path, { version }]) => installed[path]?.version === version,
	);
}

async function installPackages() {
	// Another command may have finished the installation while this command waited.
	if (await isInstalled()) return;
	const start = Date.now();
	const elapsed = () => `${Math.round((Date.now() - start) / 1000)} s`;
	const count = listNeededEverywhere(packages).length;
	console.log(`Installing ${count} packages of package-lock.json (about a minute) …`);
	// This short check comes first, because `npm ci` would retry for minutes without a network.
	if ((await runNpm(['view', 'npm', 'version', ...NO_RETRIES], root, 'ignore')) !== 0) {
		fail('The package registry cannot be reached. Check the network and start again.');
	}
	await writeStaging();
	const howFar = createInstallProgress(STAGING, packages, readNpmSetting('cache'));
	const progress = setInterval(
		() => console.log(`  still running, ${elapsed()}, ${howFar()}`),
		10_000,
	);
	const code = await runNpm(['ci', '--loglevel', 'error'], STAGING, 'inherit');
	clearInterval(progress);
	if (code !== 0) fail('npm ci failed; its output above says why.');
	await putInPlace();
	console.log(`Installed in ${elapsed()}.`);
}

/** Writes the files that npm reads: its settings, the manifests and the lockfile. */
async function writeStaging() {
	await rm(STAGING, { recursive: true, force: true });
	await mkdir(STAGING, { recursive: true });
	await cp(join(root, '.npmrc'), join(STAGING, '.npmrc'));
	for (const folder of ['', ...packages[''].workspaces]) {
		await mkdir(join(STAGING, folder), { recursive: true });
		await writeJson(join(STAGING, folder, 'package.json'), packages[folder]);
	}
	const own = { ...lockfile, packages: addAddresses(packages) };
	await writeJson(join(STAGING, 'package-lock.json'), own);
}

/**
 * Moves the installed packages to their places. The root folder comes last, because its list of packages shows that the
 * installation is complete.
 */
async function putInPlace() {
	for (const folder of [...packages[''].workspaces, '']) {
		const place = join(root, folder, 'node_modules');
		const installed = join(STAGING, folder, 'node_modules');
		await rm(place, { recursive: true, force: true });
		if (existsSync(installed)) await rename(installed, place);
	}
	await rm(STAGING, { recursive: true });
}

async function runNpm(options, cwd, output) {
	const child = spawn('npm', options, {
		cwd,
		stdio: ['ignore', output, output],
		shell: process.platform === 'win32',
	});
	return await new Promise((resolve) => child.on('close', resolve).on('error', () => resolve(1)));
}

async function readJson(file) {
	return JSON.parse(await readFile(file, 'utf8'));
}

async function writeJson(file, value) {
	await writeFile(file, JSON.stringify(value));
}

function fail(words) {
	console.error(words);
	process.exit(1);
}
