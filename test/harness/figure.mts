/** Prints a figure directly, because jest would add the place of the call. */
export function figure(words: string): void {
	process.stdout.write(`${words}\n`);
}
