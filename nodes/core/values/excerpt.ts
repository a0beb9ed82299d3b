const LONGEST = 80;

/** A value as JSON, cut to fit into an error message. However large or deep it is, little of it is looked at. */
export function excerpt(value: unknown): string {
	const isPlain = typeof value !== 'object' && typeof value !== 'string';
	const text = String(isPlain ? value : JSON.stringify(value, beginning()));
	const length = typeof value === 'string' ? ` (${value.length} characters)` : '';
	return text.length > LONGEST ? `${text.slice(0, LONGEST)}…${length}` : text;
}

const MOST_NAMED = 20;

/** Names to choose from in an error message: the first of them. */
export function someOf(names: readonly string[]): string {
	return [...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ['…'] : [])].join(', ');
}

/** A replacer for JSON.stringify: each value takes at least one character, so as many values fill an excerpt. */
function beginning() {
	let left = LONGEST;
	return (_key: string, value: unknown): unknown => {
		if (left-- <= 0) return undefined;
		if (typeof value === 'string') return value.slice(0, LONGEST);
		if (typeof value === 'bigint') return String(value);
		if (Array.isArray(value)) return value.slice(0, LONGEST);
		return typeof value === 'object' && value !== null ? firstEntries(value) : value;
	};
}

/** By `for … in`, which lists the keys of a large object in half the time of `Object.keys`. */
function firstEntries(value: object): object {
	const first: Array<[string, unknown]> = [];
	for (const key in value) {
		if (first.push([key.slice(0, LONGEST), value[key as never]]) === LONGEST) break;
	}
	return Object.fromEntries(first);
}
