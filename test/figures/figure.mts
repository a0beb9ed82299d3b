/** Prints a figure directly, because jest would add the place of the call. */
export function figure(words: string): void {
	process.stdout.write(`${words}\n`);
}

/** Measures the CPU milliseconds of some work, including garbage collection. */
export async function processorTime(work: () => Promise<unknown>): Promise<number> {
	const begun = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(begun);
	return (user + system) / 1000;
}
