// Checks the types of all projects, and reports what is wrong in each of them before it fails.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

/** The packages, their tests with the signer and gRPC, and the demo with what it starts. */
const PROJECTS = ['.', 'test', 'demo'];

const failed = PROJECTS.filter((project) => {
	const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' };
	return spawnSync('tsc', ['--noEmit', '-p', project], options).status !== 0;
});
process.exitCode = failed.length > 0 ? 1 : 0;
