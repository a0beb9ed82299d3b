// Installs the packages of this repository when they are missing or not the ones in the lockfile.
// Every command runs it first, so a fresh clone needs nothing but Node and npm.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OLDEST_NODE = [20, 19];
const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const marker = join(root, 'node_modules', '.installed-lockfile');
const lockfile = createHash('sha256')
	.update(readFileSync(join(root, 'package-lock.json')))
	.digest('hex');

checkNode();
if (!isInstalled()) await install();

function checkNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	const [oldestMajor, oldestMinor] = OLDEST_NODE;
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
	console.error(
		`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`,
	);
	process.exit(1);
}

function isInstalled() {
	return existsSync(marker) && readFileSync(marker, 'utf8') === lockfile;
}

async function install() {
	const start = Date.now();
	const elapsed = () => `${Math.round((Date.now() - start) / 1000)} s`;
	console.log('Installing the packages in package-lock.json (about a minute) …');
	const progress = setInterval(() => console.log(`  still installing, ${elapsed()}`), 10_000);
	const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel', 'error'], {
		cwd: root,
		stdio: ['ignore', 'inherit', 'inherit'],
		shell: process.platform === 'win32',
	});
	const code = await new Promise((resolve) =>
		npm.on('close', resolve).on('error', () => resolve(1)),
	);
	clearInterval(progress);
	if (code !== 0) {
		console.error('npm ci failed. Is there a network connection to the package registry?');
		process.exit(1);
	}
	writeFileSync(marker, lockfile);
	console.log(`Installed in ${elapsed()}.`);
}
