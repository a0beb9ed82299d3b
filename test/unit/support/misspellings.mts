import { InvalidValue } from '../../../nodes/core/values/parse';

/**
 * Returns the values that the function `read` accepts. A separate `expect` for each value would take longer than the
 * parsing.
 */
export function filterAccepted(
	read: (value: unknown) => unknown,
	values: readonly string[],
): string[] {
	return values.filter((value) => {
		try {
			read(value);
			return true;
		} catch (error) {
			if (error instanceof InvalidValue) return false;
			throw error;
		}
	});
}

/** Lists all texts that differ from the given text in one character. */
export function buildMisspellings(text: string, alphabet: string): string[] {
	const others = (own: string) => [...alphabet].filter((character) => character !== own);
	return [...text].flatMap((own, index) =>
		others(own).map((other) => text.slice(0, index) + other + text.slice(index + 1)),
	);
}
