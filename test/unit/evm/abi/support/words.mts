/** Builds 0x-hex from words of 32 bytes. A word is a number, or hex digits that stand at its beginning. */
export function hexOf(...words: ReadonlyArray<number | bigint | string>): string {
	const digits = words.map((word) =>
		typeof word === 'string' ? word.padEnd(64, '0') : word.toString(16).padStart(64, '0'),
	);
	return `0x${digits.join('')}`;
}
