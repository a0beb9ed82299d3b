import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram } from '../../tools/processes.mjs';

const TIMEOUT_MS = 180_000;

export interface ServiceProcessSettings {
	/** The name of the program in error messages. */
	name: string;
	command: string;
	options: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	isBase?: boolean;
	onLine: (line: string) => void;
	/** Returns whether the program is ready. It gets the lines that were printed since the start. */
	isUp: (printed: readonly string[]) => boolean | Promise<boolean>;
}

/** A program that can be killed and restarted with the same data. */
export interface ServiceProcess {
	/** Returns the lines that the program has printed most recently. */
	output: () => readonly string[];
	/** Settles if the program ends unexpectedly. */
	ended: Promise<unknown>;
	start: () => Promise<void>;
	stop: () => Promise<void>;
	/** Ends the program at once, as in a crash. */
	kill: () => Promise<void>;
}

/** Starts a program, and waits until it is ready. */
export async function startServiceProcess(launch: ServiceProcessSettings): Promise<ServiceProcess> {
	let program: ReturnType<typeof startProgram>;
	let isWanted = true;
	let settle: () => void;
	const ended = new Promise<void>((resolve) => (settle = resolve));
	const part: ServiceProcess = {
		output: () => program.output,
		ended,
		start: async () => {
			isWanted = true;
			const started = (program = startProgram(launch.command, launch.options, launch));
			void started.exited.then(() => isWanted && program === started && settle());
			await waitUntilUp(launch, started);
		},
		stop: async () => {
			isWanted = false;
			await program.stop();
		},
		kill: async () => {
			isWanted = false;
			await program.kill();
		},
	};
	await part.start();
	return part;
}

async function waitUntilUp(
	{ name, isUp }: ServiceProcessSettings,
	{ exited, output }: ReturnType<typeof startProgram>,
) {
	const words = () => `\n${output.join('\n')}`;
	const ended = exited.then((code) => {
		throw new Error(`${name} ended with code ${code}${words()}`);
	});
	for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; ) {
		if (await Promise.race([isUp(output), ended])) return;
		await Promise.race([sleep(250), ended]);
	}
	throw new Error(`${name} was not ready within ${TIMEOUT_MS / 1000} s${words()}`);
}
