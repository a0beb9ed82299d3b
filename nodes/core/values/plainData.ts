import { raise } from '../errors/raise';
import { type Parse, InvalidValue } from './parse';

/**
 * Copies the result of an expression into plain data: text, numbers, booleans, null, lists and objects. If n8n
 * evaluates expressions in its own process, a result may contain code in methods, getters or proxies. Reading the
 * result would run that code with access to callbacks of this package. So each value is copied first, by property
 * descriptors only. Traps of a proxy still run, but get no access.
 */
export const parsePlainData: Parse = (given) => {
	if (typeof given !== 'object') return copyPrimitive(given);
	try {
		return new PlainCopier().copy(given);
	} catch (error) {
		// A proxy's trap can throw any value, so its error is replaced.
		return raise(
			new InvalidValue(error instanceof NotPlain ? error.expected : EXPECTED_PLAIN_DATA),
		);
	}
};

const EXPECTED_PLAIN_DATA = 'plain data: text, numbers, lists and objects';

/** Deeper data is refused, because n8n serializes items recursively, and its stack overflows at about 4,000 levels. */
const MAX_DEPTH = 3000;
/** The largest number of values, such as 10,000 rows of 20 fields. Copying more would block n8n. */
const MAX_VALUES = 200_000;
/** The limit for objects with a `Symbol.toStringTag`, which take ten times as long to copy as other objects. */
const MAX_DISGUISED = 1000;

class NotPlain extends Error {
	constructor(readonly expected: string) {
		super(expected);
	}
}

class PlainCopier {
	private values = 0;
	private disguised = 0;
	private readonly around = new Set<object>();

	copy(given: unknown): unknown {
		this.count();
		if (typeof given !== 'object' || given === null) return copyPrimitive(given);
		if (this.around.has(given)) throw new NotPlain('data that does not hold itself');
		if (this.around.size >= MAX_DEPTH) throw new NotPlain(`data of at most ${MAX_DEPTH} levels`);
		// An object counts twice, because copying it takes as long as copying two texts.
		this.count();
		this.around.add(given);
		const copy = Array.isArray(given)
			? this.copyList(given)
			: (this.formatTime(given) ?? this.copyObject(given));
		this.around.delete(given);
		return copy;
	}

	private count(): void {
		if (++this.values > MAX_VALUES) throw new NotPlain(`data of at most ${MAX_VALUES} values`);
	}

	private copyList(given: object): unknown[] {
		const length = getOwnValue(given, 'length');
		// A proxy can return any value as its length.
		if (typeof length !== 'number') throw new NotPlain(EXPECTED_PLAIN_DATA);
		if (length > MAX_VALUES) throw new NotPlain(`data of at most ${MAX_VALUES} values`);
		const copy: unknown[] = [];
		for (let index = 0; index < length; index++) copy.push(this.copy(getOwnValue(given, index)));
		return copy;
	}

	/** Copies an object. A key such as `__proto__` stays an ordinary key, and functions are left out, as in JSON. */
	private copyObject(given: object): object {
		// Each byte of a buffer is a key, and so is each character of a String object. Listing the keys of a large buffer
		// takes long, so its size is checked first.
		if (Object.hasOwn(given, MAX_VALUES))
			throw new NotPlain(`data of at most ${MAX_VALUES} values`);
		const names = Reflect.ownKeys(given);
		if (names.length === 0) return {};
		const entries: Array<[string, unknown]> = [];
		for (const name of names) {
			const property = Reflect.getOwnPropertyDescriptor(given, name);
			const isShown = typeof name === 'string' && property?.enumerable;
			const value = isShown ? getDataValue(property) : undefined;
			if (isShown && typeof value !== 'function') entries.push([name, this.copy(value)]);
			// Properties that are left out count towards MAX_VALUES, too, because reading them takes time.
			else this.count();
		}
		return Object.fromEntries(entries);
	}

	/** Formats a date as ISO 8601: a Date, or a DateTime of Luxon such as n8n's `$now`. Undefined for other objects. */
	private formatTime(given: object): string | undefined {
		// Most objects are neither a Date nor a DateTime, and are recognized here quickly.
		if (Reflect.getPrototypeOf(given) === Object.prototype) return undefined;
		const milliseconds = this.getDateTime(given) ?? getLuxonTime(given);
		if (milliseconds === undefined) return undefined;
		const date = new Date(milliseconds);
		if (Number.isNaN(date.getTime())) throw new NotPlain('data in which each time is a real one');
		return date.toISOString();
	}

	/**
	 * Returns the time of a Date; undefined for other objects. `Object.prototype.toString` recognizes a Date of any
	 * class or realm, unless the object has a `Symbol.toStringTag`. In that case, Date's own method decides. A method
	 * of the value is never called, because it may be code from outside.
	 */
	private getDateTime(given: object): number | undefined {
		if (!this.isDisguised(given) && Object.prototype.toString.call(given) !== '[object Date]')
			return undefined;
		try {
			return Date.prototype.getTime.call(given);
		} catch {
			return this.countDisguised();
		}
	}

	/** Whether the object or one of its prototypes has a `Symbol.toStringTag`. */
	private isDisguised(given: object): boolean {
		let one: object | null = given;
		for (let level = 0; one && level < MAX_CLASS_DEPTH; level++) {
			// Each prototype counts towards MAX_VALUES, because reading it takes time.
			this.count();
			if (Reflect.getOwnPropertyDescriptor(one, Symbol.toStringTag)) return true;
			one = Reflect.getPrototypeOf(one);
		}
		return one !== null;
	}

	private countDisguised(): undefined {
		if (++this.disguised > MAX_DISGUISED)
			throw new NotPlain(`data with at most ${MAX_DISGUISED} objects that name their own kind`);
	}
}

/** More levels of prototypes than any class has. The prototypes of a proxy may never end. */
const MAX_CLASS_DEPTH = 20;

/** Copies a value that is not an object. Symbols and functions are left out, as in JSON. */
function copyPrimitive(given: unknown): unknown {
	return typeof given === 'symbol' || typeof given === 'function' ? undefined : given;
}

/** Returns the value of an own property; undefined if the property is missing. */
function getOwnValue(given: object, name: PropertyKey): unknown {
	const property = Reflect.getOwnPropertyDescriptor(given, name);
	return property && getDataValue(property);
}

function getDataValue(property: PropertyDescriptor): unknown {
	if ('value' in property) return property.value;
	throw new NotPlain('data without getters');
}

/** Returns the time of a Luxon DateTime. An invalid DateTime contains the present time and a reason, so the reason is checked. */
function getLuxonTime(given: object): number | undefined {
	if (!Object.hasOwn(given, 'isLuxonDateTime')) return undefined;
	const milliseconds = getOwnValue(given, 'ts');
	if (typeof milliseconds !== 'number') return undefined;
	return getOwnValue(given, 'invalid') === null ? milliseconds : NaN;
}
