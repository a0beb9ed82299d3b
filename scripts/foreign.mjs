// This script tests the package against other software: hardhat in place of anvil, the ABI vectors of ethers, x402, and
// published contracts.
// It installs that software once for all clones from the lockfile in test/foreign. Hardhat needs a newer Node than the
// tests.
// `npm run test:foreign tokens` runs only the files with that name.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { findOrInstallNode24 } from '../demo/install/node.mjs';
import { cacheFolder, root } from '../tools/paths.mjs';

const folder = join(root, 'test', 'foreign');
const lockfile = readFileSync(join(folder, 'package-lock.json'));
const home = join(
	cacheFolder,
	`foreign-${createHash('sha256').update(lockfile).digest('hex').slice(0, 12)}`,
);

const node = await findOrInstallNode24();
installForeign();
const script = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const config = join(folder, 'jest.config.mjs');
runProgram(process.execPath, [script, '--config', config, ...process.argv.slice(2)], {
	cwd: root,
	env: {
		...process.env,
		SANDBOX_HARDHAT: home,
		SANDBOX_HARDHAT_NODE: node,
		ETHERS_TESTCASES: join(home, 'node_modules', '@ethersproject', 'testcases', 'testcases'),
		FOREIGN_MODULES: join(home, 'node_modules'),
		HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
	},
});

function installForeign() {
	const finished = join(home, '.finished');
	if (existsSync(finished)) return;
	console.log(
		'Installing hardhat, the vectors of ethers, x402 and contracts of others, 300 MB (about a quarter of a minute) …',
	);
	for (const file of ['package.json', 'package-lock.json', 'hardhat.config.mjs']) {
		cpSync(join(folder, file), join(home, file));
	}
	cpSync(join(root, '.npmrc'), join(home, '.npmrc'));
	const PATH = [dirname(node), process.env.PATH].join(delimiter);
	runProgram('npm', ['ci', '--loglevel', 'error'], { cwd: home, env: { ...process.env, PATH } });
	writeFileSync(finished, '');
}

function runProgram(command, options, settings) {
	const isShell = command === 'npm' && process.platform === 'win32';
	const { status } = spawnSync(command, options, { ...settings, stdio: 'inherit', shell: isShell });
	if (status !== 0) process.exit(status ?? 1);
}
