// This script checks the types of all projects. It reports the errors of every project before it fails.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

/** The projects with types. `test` includes the signer and gRPC packages, and `demo` includes the sandbox. */
const PROJECTS = ['.', 'test', 'demo'];

const failed = PROJECTS.filter((project) => {
	const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' };
	return spawnSync('tsc', ['--noEmit', '-p', project], options).status !== 0;
});
process.exitCode = failed.length > 0 ? 1 : 0;
