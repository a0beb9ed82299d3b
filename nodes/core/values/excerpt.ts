const LONGEST = 80;

/** A value as a person would write it, short enough for an error message. */
export function excerpt(value: unknown): string {
	const isNumber = typeof value === 'number' || typeof value === 'bigint';
	const text = isNumber ? String(value) : (JSON.stringify(value, withBigInt) ?? String(value));
	return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

/** JSON knows no big integers. */
function withBigInt(_key: string, value: unknown): unknown {
	return typeof value === 'bigint' ? value.toString() : value;
}
