const MAX_EXCERPT_CHARS = 80;

/** Formats a value as shortened JSON for an error message. Only the beginning of a large value is read. */
export function formatExcerpt(value: unknown): string {
	const isPlain = typeof value !== 'object' && typeof value !== 'string';
	const text = String(isPlain ? value : JSON.stringify(value, createLimitedReplacer()));
	const length = typeof value === 'string' ? ` (${value.length} characters)` : '';
	return text.length > MAX_EXCERPT_CHARS ? `${text.slice(0, MAX_EXCERPT_CHARS)}…${length}` : text;
}

const MAX_LISTED_NAMES = 20;

/** Lists the first of several names for an error message. */
export function formatNames(names: readonly string[]): string {
	return [
		...names.slice(0, MAX_LISTED_NAMES),
		...(names.length > MAX_LISTED_NAMES ? ['…'] : []),
	].join(', ');
}

/**
 * Creates a replacer for JSON.stringify that visits few values. Each value takes at least one character, so a short
 * excerpt needs only a few values.
 */
function createLimitedReplacer() {
	let left = MAX_EXCERPT_CHARS;
	return (_key: string, value: unknown): unknown => {
		if (left-- <= 0) return undefined;
		if (typeof value === 'string') return value.slice(0, MAX_EXCERPT_CHARS);
		if (typeof value === 'bigint') return String(value);
		if (Array.isArray(value)) return value.slice(0, MAX_EXCERPT_CHARS);
		return typeof value === 'object' && value !== null ? takeFirstEntries(value) : value;
	};
}

/**
 * Takes the first entries of an object. A `for … in` loop lists the keys of a large object twice as fast as
 * `Object.keys`.
 */
function takeFirstEntries(value: object): object {
	const first: Array<[string, unknown]> = [];
	for (const key in value) {
		const member: unknown = Reflect.get(value, key);
		if (first.push([key.slice(0, MAX_EXCERPT_CHARS), member]) === MAX_EXCERPT_CHARS) break;
	}
	return Object.fromEntries(first);
}
