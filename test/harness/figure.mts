/** Prints a measured figure to stdout, because console.log of Jest would add the location of the call. */
export function figure(words: string): void {
	process.stdout.write(`${words}\n`);
}
