// This script runs n8n's lint for each package, the lint for unpublished files, and the format check. A warning is a
// failure.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

const findings = [
	...['.', 'grpc', 'signer'].map((folder) => lintPackage(folder)),
	hasFindings('eslint', ['--config', 'eslint.tools.config.mjs', '--max-warnings', '0', '.']),
	hasFindings('prettier', ['--check', '--log-level', 'warn', '.']),
];
process.exitCode = findings.includes(true) ? 1 : 0;

/** Runs n8n's lint for a package. Its exit code is 0 despite warnings, so the printed count of findings decides. */
function lintPackage(folder) {
	const { status, stdout, stderr } = runProgram('n8n-node', ['lint'], folder, 'pipe');
	const isFound = status !== 0 || /\d+ problems? \(/.test(stdout + stderr);
	if (isFound) process.stdout.write(stdout + stderr);
	return isFound;
}

function hasFindings(program, options) {
	return runProgram(program, options, '.', 'inherit').status !== 0;
}

function runProgram(program, options, folder, output) {
	return spawnSync(program, options, {
		cwd: join(root, folder),
		encoding: 'utf8',
		stdio: ['ignore', output, output],
		shell: process.platform === 'win32',
	});
}
