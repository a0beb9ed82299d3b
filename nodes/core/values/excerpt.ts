const LONGEST = 80;

/** A value as a person would write it, short enough for an error message. However large it is, this is soon done. */
export function excerpt(value: unknown): string {
	if (typeof value === 'number' || typeof value === 'bigint') return cut(String(value));
	let text = '';
	for (const piece of pieces(value)) {
		text += piece;
		if (text.length > LONGEST) break;
	}
	const length = typeof value === 'string' ? ` (${value.length} characters)` : '';
	return text.length > LONGEST ? `${text.slice(0, LONGEST)}…${length}` : text;
}

function cut(text: string): string {
	return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** JSON, piece by piece. It knows no big integers, no functions and no dates. */
function* pieces(value: unknown): Generator<string> {
	if (typeof value === 'string') yield JSON.stringify(value.slice(0, LONGEST + 1));
	else if (typeof value !== 'object' || value === null) yield String(value);
	else if (Array.isArray(value)) yield* listed('[', value.values(), ']', pieces);
	else if ('toJSON' in value && typeof value.toJSON === 'function') yield* pieces(value.toJSON());
	else yield* listed('{', keysOf(value), '}', (key) => entry(value, key));
}

function* listed<T>(
	open: string,
	parts: Iterable<T>,
	close: string,
	written: (part: T) => Iterable<string>,
): Generator<string> {
	yield open;
	let comma = '';
	for (const part of parts) {
		yield comma;
		yield* written(part);
		comma = ',';
	}
	yield close;
}

function* keysOf(value: object): Generator<string> {
	for (const key in value) {
		if (Object.hasOwn(value, key) && value[key as never] !== undefined) yield key;
	}
}

function* entry(value: object, key: string): Generator<string> {
	yield JSON.stringify(key.slice(0, LONGEST));
	yield ':';
	yield* pieces(value[key as never]);
}
