/** Prints a figure past jest, which would add where it was printed. */
export function figure(words: string): void {
	process.stdout.write(`${words}\n`);
}
