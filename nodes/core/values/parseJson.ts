/**
 * Strings are matched first, so that digits inside them are left alone. One that is not closed is matched too, to its
 * end: otherwise each quote in it would be tried as its beginning, which takes for ever.
 */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LONG_INTEGER = /^-?[1-9]\d{15,}$/;

/** Parses JSON without losing a digit: an integer that a JavaScript number cannot hold becomes a string. */
export function parseJson(source: string): unknown {
	return JSON.parse(mayHoldLong(source) ? source.replace(STRING_OR_NUMBER, quoteUnsafe) : source);
}

/** Parses JSON, or gives undefined, which no JSON stands for. */
export function tryParseJson(source: string): unknown {
	try {
		return parseJson(source);
	} catch {
		return undefined;
	}
}

/** Whether JSON text holds an integer that a JavaScript number cannot hold. */
export function holdsUnsafeInteger(source: string): boolean {
	return mayHoldLong(source) && (source.match(STRING_OR_NUMBER)?.some(isUnsafe) ?? false);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mayHoldLong(source: string): boolean {
	return /\d{16}/.test(source);
}

function isUnsafe(token: string): boolean {
	return LONG_INTEGER.test(token) && !Number.isSafeInteger(Number(token));
}

function quoteUnsafe(token: string): string {
	return isUnsafe(token) ? `"${token}"` : token;
}
