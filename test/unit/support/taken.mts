import { InvalidValue } from '../../../nodes/core/values/read';

/** Which of many values a reader takes. An expectation of each would take longer than the reading. */
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

/** Each text that differs from this one in one character. */
export function buildMisspellings(text: string, alphabet: string): string[] {
	const others = (own: string) => [...alphabet].filter((character) => character !== own);
	return [...text].flatMap((own, index) =>
		others(own).map((other) => text.slice(0, index) + other + text.slice(index + 1)),
	);
}
