/** Prints a figure past jest, which would add where it was printed. */
export function figure(words: string): void {
	process.stdout.write(`${words}\n`);
}

/** Milliseconds of the processor that some work takes, those of its collector of garbage included. */
export async function processorTime(work: () => Promise<unknown>): Promise<number> {
	const begun = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(begun);
	return (user + system) / 1000;
}
