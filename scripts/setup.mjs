// Runs `npm ci` if the lockfile has changed since the last time. Every command starts with it, so a fresh clone needs only
// Node and npm.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInstallProgress } from '../tools/installProgress.mjs';
import { withLock } from '../tools/folderLock.mjs';

const MIN_NODE = [20, 19];
const NO_RETRIES = ['--fetch-retries=0', '--fetch-timeout=30000'];
const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const marker = join(root, 'node_modules', '.installed-lockfile');
const lockfile = createHash('sha256')
	.update(readFileSync(join(root, 'package-lock.json')))
	.digest('hex');

checkNode();
if (!isInstalled()) await withLock(root, installPackages);

function checkNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	const [oldestMajor, oldestMinor] = MIN_NODE;
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
	fail(`Node ${MIN_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`);
}

function isInstalled() {
	return existsSync(marker) && readFileSync(marker, 'utf8') === lockfile;
}

async function installPackages() {
	// Another command may have installed it while this one waited.
	if (isInstalled()) return;
	const start = Date.now();
	const elapsed = () => `${Math.round((Date.now() - start) / 1000)} s`;
	console.log('Installing the packages in package-lock.json (about a minute) …');
	// Without a network, `npm ci` would retry for minutes.
	if ((await runNpm(['view', 'npm', 'version', ...NO_RETRIES], 'ignore')) !== 0) {
		fail('The package registry cannot be reached. Check the network and start again.');
	}
	const howFar = createInstallProgress(root, readNpmCache());
	const progress = setInterval(
		() => console.log(`  still installing, ${elapsed()}, ${howFar()}`),
		10_000,
	);
	const code = await runNpm(['ci', '--loglevel', 'error'], 'inherit');
	clearInterval(progress);
	if (code !== 0) fail('npm ci failed; its output above says why.');
	writeFileSync(marker, lockfile);
	console.log(`Installed in ${elapsed()}.`);
}

function readNpmCache() {
	const isWindows = process.platform === 'win32';
	return execFileSync('npm', ['config', 'get', 'cache'], {
		encoding: 'utf8',
		shell: isWindows,
	}).trim();
}

async function runNpm(options, output) {
	const child = spawn('npm', options, {
		cwd: root,
		stdio: ['ignore', output, output],
		shell: process.platform === 'win32',
	});
	return await new Promise((resolve) => child.on('close', resolve).on('error', () => resolve(1)));
}

function fail(words) {
	console.error(words);
	process.exit(1);
}
