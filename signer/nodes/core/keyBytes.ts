const KEY_BYTES = 32;
const KEY_DIGITS = 2 * KEY_BYTES;
const [ZERO, NINE, LOWER_A, LOWER_F, UPPER_TO_LOWER] = [0x30, 0x39, 0x61, 0x66, 0x20] as const;

/**
 * Parses hex digits one by one into memory of its own. A Buffer would lie in shared memory, and a regular expression would keep the digits
 * in the properties of RegExp.
 */
export function parseKeyBytes(typed: string, leastDigits = KEY_DIGITS): Uint8Array | undefined {
	const start = typed.startsWith('0x') || typed.startsWith('0X') ? 2 : 0;
	const digits = typed.length - start;
	if (digits < leastDigits || digits > KEY_DIGITS) return undefined;
	const bytes = new Uint8Array(KEY_BYTES);
	for (let at = KEY_DIGITS - digits; at < KEY_DIGITS; at++) {
		const digit = parseHexDigit(typed.charCodeAt(typed.length - KEY_DIGITS + at));
		if (digit === undefined) return undefined;
		bytes[at >> 1] = 16 * (bytes[at >> 1] ?? 0) + digit;
	}
	return bytes;
}

function parseHexDigit(code: number): number | undefined {
	if (code >= ZERO && code <= NINE) return code - ZERO;
	const letter = code | UPPER_TO_LOWER;
	return letter >= LOWER_A && letter <= LOWER_F ? letter - LOWER_A + 10 : undefined;
}
