import { setTimeout as sleep } from 'node:timers/promises';
import { start } from '../tools/processes.mjs';

const PATIENCE = 180_000;

export interface Launch {
	/** What it is called in errors. */
	name: string;
	command: string;
	options: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	isBase?: boolean;
	onLine: (line: string) => void;
	/** Told what it has printed since it was started. */
	isUp: (printed: readonly string[]) => boolean | Promise<boolean>;
}

/** A program that can be killed, and started again with what it keeps. */
export interface Part {
	/** What it has printed lately. */
	output: () => readonly string[];
	/** Settles when it ends without being asked to. */
	ended: Promise<unknown>;
	start: () => Promise<void>;
	stop: () => Promise<void>;
	/** At once and without a goodbye, as in a crash. */
	kill: () => Promise<void>;
}

/** Starts a program, and waits until it is up. */
export async function startPart(launch: Launch): Promise<Part> {
	let program: ReturnType<typeof start>;
	let isWanted = true;
	let tell: () => void;
	const ended = new Promise<void>((resolve) => (tell = resolve));
	const part: Part = {
		output: () => program.output,
		ended,
		start: async () => {
			isWanted = true;
			const started = (program = start(launch.command, launch.options, launch));
			void started.exited.then(() => isWanted && program === started && tell());
			await untilUp(launch, started);
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

async function untilUp({ name, isUp }: Launch, { exited, output }: ReturnType<typeof start>) {
	const words = () => `\n${output.join('\n')}`;
	const ended = exited.then((code) => {
		throw new Error(`${name} ended with code ${code}${words()}`);
	});
	for (const deadline = Date.now() + PATIENCE; Date.now() < deadline; ) {
		if (await Promise.race([isUp(output), ended])) return;
		await Promise.race([sleep(250), ended]);
	}
	throw new Error(`${name} was not ready within ${PATIENCE / 1000} s${words()}`);
}
