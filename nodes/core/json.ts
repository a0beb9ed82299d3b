/** Strings are matched first, so that digits inside them are left alone. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LONG_INTEGER = /^-?\d{16,}$/;

/** Parses JSON without losing a digit: an integer that a JavaScript number cannot hold becomes a string. */
export function parseJson(source: string): unknown {
	return JSON.parse(/\d{16}/.test(source) ? source.replace(STRING_OR_NUMBER, quoteUnsafe) : source);
}

/** Parses JSON, or gives undefined, which no JSON stands for. */
export function tryParseJson(source: string): unknown {
	try {
		return parseJson(source);
	} catch {
		return undefined;
	}
}

function quoteUnsafe(token: string): string {
	return LONG_INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
