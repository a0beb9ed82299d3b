import { formatExcerpt } from '../values/excerpt';
import { isRecord } from '../values/parse';

interface Difference {
	/** The path of the field: the names of the lists and objects around it, and its own name. */
	readonly name: string;
	/** The two different values, formatted for people. */
	readonly one: string;
	readonly other: string;
}

/** Finds the first difference between two values with the same fields. Returns undefined if they are equal. */
export function findFirstDifference(
	one: unknown,
	other: unknown,
	name: string,
): Difference | undefined {
	if (isRecord(one) && isRecord(other)) {
		const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
		return findFirst(keys, (key) =>
			findFirstDifference(getOwnValue(one, key), getOwnValue(other, key), `${name}.${key}`),
		);
	}
	if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
		return findFirst(one.keys(), (at) => findFirstDifference(one[at], other[at], `${name}[${at}]`));
	}
	return one === other ? undefined : { name, one: formatValue(one), other: formatValue(other) };
}

/** Returns an own property of an object. A key of JSON may also be the name of a property that all objects inherit. */
function getOwnValue(value: Readonly<Record<string, unknown>>, key: string): unknown {
	return Object.hasOwn(value, key) ? value[key] : undefined;
}

function findFirst<Key>(
	keys: Iterable<Key>,
	differenceAt: (key: Key) => Difference | undefined,
): Difference | undefined {
	for (const key of keys) {
		const found = differenceAt(key);
		if (found) return found;
	}
	return undefined;
}

function formatValue(value: unknown): string {
	return Array.isArray(value) ? `a list of ${value.length}` : formatExcerpt(value);
}
