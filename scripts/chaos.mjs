// Runs both triggers against the sandbox through cuts, lag, reorganizations, limits and restarts; in the end they must
// have reported what is on the chain. `npm run chaos -- --minutes 1` is shorter, `--seed 7` repeats a run, but for timing.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
	options: {
		minutes: { type: 'string', default: '10' },
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
	},
});

const root = join(import.meta.dirname, '..');
const script = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const config = join(root, 'test', 'chaos', 'jest.config.mjs');

console.log(`Seed ${values.seed}, ${values.minutes} minutes`);
const { stderr, status } = spawnSync(
	process.execPath,
	[script, '--config', config, '--runInBand'],
	{
		cwd: root,
		encoding: 'utf8',
		env: { ...process.env, CHAOS_MINUTES: values.minutes, CHAOS_SEED: values.seed },
		stdio: ['ignore', 'inherit', 'pipe'],
	},
);
if (status !== 0) {
	console.error(stderr);
	process.exit(1);
}
