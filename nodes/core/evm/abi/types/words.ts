const DIGITS = 64;

/** A word of hex digits. Negative numbers are written as two's complement. */
export function integerWord(value: bigint): string {
	return BigInt.asUintN(256, value).toString(16).padStart(DIGITS, '0');
}

/** An offset or a length. */
export function numberWord(value: number): string {
	return value.toString(16).padStart(DIGITS, '0');
}

/** The digits, filled up to whole words. */
export function toWords(digits: string): string {
	return digits.padEnd(Math.ceil(digits.length / DIGITS) * DIGITS, '0');
}

/** How many bytes these digits are. */
export function byteCount(digits: string): number {
	return digits.length / 2;
}
