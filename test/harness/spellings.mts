import { inspect } from 'node:util';

/** Returns all spellings of a 32-byte key that is given in hex, with or without leading zeros. */
function getSpellings(key: string): readonly string[] {
	const digits = key.replace(/^0x/, '').toLowerCase().padStart(64, '0');
	const bytes = Buffer.from(digits, 'hex');
	const base64 = bytes.toString('base64');
	return [
		digits.replace(/^0+/, ''),
		bytes.toString('base64url').replace(/=+$/, ''),
		base64.replace(/=+$/, ''),
		String(BigInt(`0x${digits}`)),
		[...bytes].join(','),
		[...bytes].join(', '),
		[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
		[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(':'),
		Buffer.from(digits).toString('base64').replace(/=+$/, ''),
		Buffer.from(digits).toString('hex'),
	];
}

/** Returns a text of everything that a value refers to, also its hidden properties, its causes and its stack. */
export function inspectAll(value: unknown): string {
	const shown = inspect(value, {
		depth: 50,
		showHidden: true,
		maxArrayLength: null,
		maxStringLength: null,
		breakLength: Infinity,
		compact: true,
	});
	return `${shown}\n${value instanceof Error ? `${value.message}${value.stack}` : ''}`.toLowerCase();
}

/** Finds the spellings of a key that occur in the values. */
export function findSpellings(key: string, values: readonly unknown[]): readonly string[] {
	const text = values.map(inspectAll).join('\n');
	return getSpellings(key).filter((spelling) => text.includes(spelling.toLowerCase()));
}
