/** Builds 0x-hex of words: numbers, or the hex digits of bytes at the beginning of a word. */
export function hexOf(...words: ReadonlyArray<number | bigint | string>): string {
	const digits = words.map((word) =>
		typeof word === 'string' ? word.padEnd(64, '0') : word.toString(16).padStart(64, '0'),
	);
	return `0x${digits.join('')}`;
}
