// Measures time and memory of the nodes in n8n's engine, each file in a process of its own. `npm run figures upload` runs
// the files with that name.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const config = ['--config', join(root, 'test', 'figures', 'jest.config.mjs')];

const files = runJest('--listTests', ...process.argv.slice(2))
	.trim()
	.split('\n')
	.filter(Boolean);
for (const file of files.sort()) process.stdout.write(runJest('--runInBand', file));

/** Returns Jest's stdout; its report goes to stderr, and is printed on failure. */
function runJest(...options) {
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
