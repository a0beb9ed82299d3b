import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { userFolder } from '../demo/tools/paths.mjs';

/** The id of the process that runs this command of a script in this folder. */
export async function processOf(script: string, command = 'start', folder = userFolder) {
	for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
		const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
		const [, ...options] = line.split('\0');
		if (options[0] !== script || options[1] !== command) continue;
		if ((await readlink(`/proc/${pid}/cwd`)) === folder) return pid;
	}
	throw new Error(`No process runs ${script} ${command} in ${folder}`);
}

/** Measures how much memory a process takes at its peak, over what it takes idle. Linux only. */
export function memoryOf(pid: string) {
	const megabytes = async (name: string) => {
		const status = await readFile(`/proc/${pid}/status`, 'utf8');
		return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? NaN) / 1024;
	};
	return async <T,>(work: () => Promise<T>): Promise<{ result: T; peak: number }> => {
		const idle = await megabytes('VmRSS');
		// Forgets the highest peak so far.
		await writeFile(`/proc/${pid}/clear_refs`, '5');
		const result = await work();
		return { result, peak: (await megabytes('VmHWM')) - idle };
	};
}
