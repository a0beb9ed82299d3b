import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { userFolder } from '../tools/paths.mjs';

/** Finds the id of the process that runs the given script in the given folder with the given command. */
export async function findProcess(script: string, command = 'start', folder = userFolder) {
	for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
		const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
		const [, ...options] = line.split('\0');
		if (options[0] !== script || options[1] !== command) continue;
		if ((await readlink(`/proc/${pid}/cwd`)) === folder) return pid;
	}
	throw new Error(`No process runs ${script} ${command} in ${folder}`);
}

/**
 * Measures the memory peak of each process while the work is done, in megabytes above its idle memory. It works only on
 * Linux.
 */
export async function measurePeaks(
	pids: readonly string[],
	work: () => Promise<unknown>,
): Promise<number[]> {
	const idle = await Promise.all(pids.map(async (pid) => await readMegabytes(pid, 'VmRSS')));
	// Writing 5 to `clear_refs` resets the memory peak that Linux has recorded.
	for (const pid of pids) await writeFile(`/proc/${pid}/clear_refs`, '5');
	await work();
	const highest = await Promise.all(pids.map(async (pid) => await readMegabytes(pid, 'VmHWM')));
	return highest.map((peak, index) => peak - (idle[index] ?? NaN));
}

async function readMegabytes(pid: string, name: string): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? NaN) / 1024;
}
