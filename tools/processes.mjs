import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const GUARD_SCRIPT = fileURLToPath(new URL('guard.mjs', import.meta.url));
const MAX_OUTPUT_LINES = 200;
const running = new Set();
let isStopping = false;

/**
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void, isBase?: boolean }} Settings
 * The option `isBase` marks a program that other programs need until their end. It is stopped after them.
 */

/**
 * Starts a program that cannot outlive this process.
 * @param {string} command
 * @param {string[]} options
 * @param {Settings} settings
 */
export function startProgram(command, options, settings = {}) {
	const { cwd, env = process.env, onLine = () => {}, isBase = false } = settings;
	if (isStopping) throw new Error('Stopping');
	const child = fork(GUARD_SCRIPT, [command, ...options], {
		cwd,
		env,
		execArgv: [],
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});
	const output = [];
	const take = (line) => {
		if (output.push(line) > MAX_OUTPUT_LINES) output.shift();
		onLine(line);
	};
	const exited = waitForExit(child, take);
	const program = {
		exited,
		output,
		isBase,
		stop: async () => {
			if (child.connected) child.disconnect();
			await exited;
		},
		/** Ends the program at once, as in a crash. */
		kill: async () => {
			if (child.connected) child.send('kill');
			await exited;
		},
	};
	running.add(program);
	void exited.then(() => running.delete(program));
	return program;
}

/** Waits until all output is read, and returns the exit code. The event `close` may never come after a disconnect. */
async function waitForExit(child, take) {
	const reading = [child.stdout, child.stderr].map((input) => {
		const lines = createInterface({ input }).on('line', take);
		return once(lines, 'close');
	});
	const [code] = await once(child, 'exit');
	await Promise.all(reading);
	return code ?? 1;
}

/** Runs a program to its end. If the program fails, its output becomes the error message. */
export async function runProgram(command, options, settings) {
	const program = startProgram(command, options, settings);
	const code = await program.exited;
	if (code === 0) return;
	const words = program.output.slice(-30).join('\n');
	throw new Error(`${command} ${options.join(' ')} ended with code ${code}\n${words}`);
}

/** Ends all programs, and prevents new ones from starting. */
export async function stopPrograms() {
	isStopping = true;
	for (const base of [false, true]) {
		const next = [...running].filter(({ isBase }) => isBase === base);
		await Promise.all(next.map((program) => program.stop()));
	}
}
