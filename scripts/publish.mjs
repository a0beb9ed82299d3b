// This script builds and publishes every package of this repository, with a statement of where it was built.
// It skips versions that the registry already has, so an interrupted run can be repeated. With `--dry-run` it only
// prints its commands.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { listPublishedPackages } from './packages.mjs';

const root = join(import.meta.dirname, '..');
const isDry = process.argv.includes('--dry-run');

for (const { folder, manifest } of listPublishedPackages(root)) {
	const where = folder === '.' ? [] : ['--workspace', folder];
	const name = `${manifest.name}@${manifest.version}`;
	if (!isDry && isPublished(name)) {
		console.log(`${name} is published`);
		continue;
	}
	runNpm('run', 'build', ...where);
	runNpm('publish', ...where, '--provenance', '--access', 'public');
}

/**
 * Returns whether the registry has a version of a package. Other failures, such as a missing network, end the script.
 */
function isPublished(name) {
	const options = ['view', name, 'version', '--json'];
	const { status, stdout } = spawnSync('npm', options, { cwd: root, encoding: 'utf8' });
	if (status === 0) return stdout.trim() !== '';
	if (/"E404"/.test(stdout)) return false;
	console.error(`The registry does not say whether it has ${name}: ${stdout}`);
	process.exit(1);
}

function runNpm(...options) {
	console.log(`npm ${options.join(' ')}`);
	if (isDry) return;
	const { status } = spawnSync('npm', options, { cwd: root, stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}
