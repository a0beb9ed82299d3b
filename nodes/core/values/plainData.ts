import { throwInvalidValue, type Parse } from './parse';

/**
 * A copy of what an expression gave, made of nothing but texts, numbers, booleans, null, lists and objects of its own.
 *
 * Where n8n evaluates expressions in its own process, a value can bring methods, getters and traps along, and whoever reads
 * it calls them: a list's own `map` gets our callback. So each value is copied before anything reads it. Only the language
 * itself looks at it, through property descriptors. The traps of a proxy run then, but they get nothing of ours.
 */
export const parsePlainData: Parse = (given) => {
	if (typeof given !== 'object') return copyPrimitive(given);
	try {
		return new PlainCopier().copy(given);
	} catch (error) {
		// A trap can throw anything, so its error is not passed on.
		return throwInvalidValue(error instanceof NotPlain ? error.expected : EXPECTED_PLAIN_DATA);
	}
};

const EXPECTED_PLAIN_DATA = 'plain data: text, numbers, lists and objects';

/** n8n serializes items recursively, and its stack ends at some 4,000 levels. */
const MAX_DEPTH = 3000;
const MAX_VALUES = 2_000_000;

class NotPlain extends Error {
	constructor(readonly expected: string) {
		super(expected);
	}
}

class PlainCopier {
	private values = 0;
	private readonly around = new Set<object>();

	copy(given: unknown): unknown {
		if (++this.values > MAX_VALUES) throw new NotPlain(`data of at most ${MAX_VALUES} values`);
		if (typeof given !== 'object' || given === null) return copyPrimitive(given);
		if (this.around.has(given)) throw new NotPlain('data that does not hold itself');
		if (this.around.size >= MAX_DEPTH) throw new NotPlain(`data of at most ${MAX_DEPTH} levels`);
		this.around.add(given);
		const copy = Array.isArray(given)
			? this.copyList(given)
			: (formatTime(given) ?? this.copyObject(given));
		this.around.delete(given);
		return copy;
	}

	private copyList(given: object): unknown[] {
		const length = getOwnValue(given, 'length');
		// A proxy can return anything as its length.
		if (typeof length !== 'number') throw new NotPlain(EXPECTED_PLAIN_DATA);
		if (length > MAX_VALUES) throw new NotPlain(`data of at most ${MAX_VALUES} values`);
		const copy: unknown[] = [];
		for (let index = 0; index < length; index++) copy.push(this.copy(getOwnValue(given, index)));
		return copy;
	}

	/** A key such as `__proto__` stays a key, and a function is left out, as in JSON. */
	private copyObject(given: object): object {
		const entries: Array<[string, unknown]> = [];
		for (const name of Reflect.ownKeys(given)) {
			const property = Reflect.getOwnPropertyDescriptor(given, name);
			if (typeof name !== 'string' || !property?.enumerable) continue;
			const value = getDataValue(property);
			if (typeof value !== 'function') entries.push([name, this.copy(value)]);
		}
		return Object.fromEntries(entries);
	}
}

/** Symbols and functions are left out, as in JSON. */
function copyPrimitive(given: unknown): unknown {
	return typeof given === 'symbol' || typeof given === 'function' ? undefined : given;
}

/** Returns undefined for a missing property. */
function getOwnValue(given: object, name: PropertyKey): unknown {
	const property = Reflect.getOwnPropertyDescriptor(given, name);
	return property && getDataValue(property);
}

function getDataValue(property: PropertyDescriptor): unknown {
	if ('value' in property) return property.value;
	throw new NotPlain('data without getters');
}

/** Formats a Date, or a DateTime of Luxon such as n8n's `$now`, as ISO 8601. */
function formatTime(given: object): string | undefined {
	// Most objects are neither, and finding that out by a failed call takes ten times as long.
	if (Reflect.getPrototypeOf(given) === Object.prototype) return undefined;
	const milliseconds = getDateTime(given) ?? getLuxonTime(given);
	if (milliseconds === undefined) return undefined;
	const date = new Date(milliseconds);
	if (Number.isNaN(date.getTime())) throw new NotPlain('data in which each time is a real one');
	return date.toISOString();
}

/** The language's own method accepts Dates alone; a method of the value would be foreign code. */
function getDateTime(given: object): number | undefined {
	try {
		return Date.prototype.getTime.call(given);
	} catch {
		return undefined;
	}
}

/** An invalid DateTime holds the present time, and the reason beside it. */
function getLuxonTime(given: object): number | undefined {
	if (!Object.hasOwn(given, 'isLuxonDateTime')) return undefined;
	const milliseconds = getOwnValue(given, 'ts');
	if (typeof milliseconds !== 'number') return undefined;
	return getOwnValue(given, 'invalid') === null ? milliseconds : NaN;
}
