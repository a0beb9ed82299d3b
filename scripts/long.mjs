// This script runs tests that take minutes, each file in a process of its own.
// The commands are `npm run long triggers`, `npm run long soak` and `npm run figures`. A name selects some figures:
// `npm run figures definitions`.
// The options `-- --minutes 1` and `-- --items 1000` make a run shorter. `-- --seed 7` repeats a run, except for its
// timing.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals: names } = parseArgs({
	allowPositionals: true,
	options: {
		minutes: { type: 'string', default: '10' },
		items: { type: 'string', default: '10000' },
		folder: { type: 'string', default: '' },
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
	},
});

const root = join(import.meta.dirname, '..');
const script = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const config = join(root, 'test', 'long', 'jest.config.mjs');
const env = {
	...process.env,
	LONG_MINUTES: values.minutes,
	LONG_ITEMS: values.items,
	LONG_SEED: values.seed,
};

console.log(`Seed ${values.seed}`);
const patterns =
	names.length > 0 ? names.map((name) => join(values.folder, name)) : [values.folder];
const files = runJest('pipe', '--listTests', ...patterns).split('\n');
for (const file of files.filter(Boolean).sort()) runJest('inherit', '--runInBand', file);

/** Runs Jest and returns its stdout. Jest's report goes to stderr, which is printed only after a failure. */
function runJest(output, ...options) {
	const { stdout, stderr, status } = spawnSync(
		process.execPath,
		[script, '--config', config, ...options],
		{ cwd: root, encoding: 'utf8', env, stdio: ['ignore', output, 'pipe'] },
	);
	if (status === 0) return stdout;
	console.error(stderr);
	process.exit(1);
}
