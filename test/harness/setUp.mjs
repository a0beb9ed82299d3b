import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/**
 * Starts one process that starts the sandboxes of all tests. It ends together with this process, because its stdin then
 * closes.
 */
export default async function setUp() {
	const script = join(import.meta.dirname, 'sandboxes.mts');
	const child = spawn(process.execPath, ['--max-semi-space-size=64', '--import', 'tsx', script], {
		cwd: root,
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const lines = createInterface({ input: child.stdout });
	const ended = once(child, 'exit').then(() => {
		throw new Error('The process that starts sandboxes ended before it listened.');
	});
	const [address] = await Promise.race([once(lines, 'line'), ended]);
	process.env.SANDBOXES = address;
	// The folder is named after this process, because tests of another command may run at the same time.
	process.env.TEST_FOLDER = join(root, '.cache', 'test', String(process.pid));
	for (const held of [child, child.stdin, child.stdout]) held.unref();
	if (!existsSync(join(root, '.cache', 'contracts'))) compileContracts();
}

/** Compiles the contracts beside the first tests, so that not every process of the tests loads the compiler. */
function compileContracts() {
	const script = join(import.meta.dirname, 'compileContracts.mts');
	spawn(process.execPath, ['--import', 'tsx', script], { cwd: root, stdio: 'ignore' }).unref();
}
