// Prints what is measured of the nodes in n8n's engine, time and memory: each file in a process of its own, so that
// none weighs what another left behind. `npm run figures upload` prints those of the files with that name.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const config = ['--config', join(root, 'test', 'figures', 'jest.config.mjs')];

const files = jest('--listTests', ...process.argv.slice(2))
	.trim()
	.split('\n')
	.filter(Boolean);
for (const file of files.sort()) process.stdout.write(jest('--runInBand', file));

/** What a run of jest prints beside its own report; that one only when it fails. */
function jest(...options) {
	const script = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const settings = { cwd: root, encoding: 'utf8' };
	const { stdout, stderr, status } = spawnSync(
		process.execPath,
		[script, ...config, ...options],
		settings,
	);
	if (status === 0) return stdout;
	console.error(stderr);
	process.exit(1);
}
