import { raise } from '../errors/raise';
import { type Parse, InvalidValue } from './parse';

/**
 * A copy of what an expression gave, made of nothing but texts, numbers, booleans, null, lists and objects of its own.
 * Where n8n evaluates expressions in its own process, a value can bring methods, getters and traps along, and any
 * reader calls them: a list's own `map` gets our callback. So each value is copied before anything reads it. Only the
 * language itself looks at it, through property descriptors. The traps of a proxy run then, but they get nothing of
 * ours.
 */
export const parsePlainData: Parse = (given) => {
	if (typeof given !== 'object') return copyPrimitive(given);
	try {
		return new PlainCopier().copy(given);
	} catch (error) {
		// A trap can throw anything, so its error is not passed on.
		return raise(
			new InvalidValue(error instanceof NotPlain ? error.expected : EXPECTED_PLAIN_DATA),
		);
	}
};

const EXPECTED_PLAIN_DATA = 'plain data: text, numbers, lists and objects';

/** n8n serializes items recursively, and its stack ends at some 4,000 levels. */
const MAX_DEPTH = 3000;
/** Ten thousand rows of twenty fields. Copying more would block n8n. */
const MAX_VALUES = 200_000;
/** Each of these objects takes ten times as long as another object. */
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
		// An object takes as long as two texts.
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
		// A proxy can return anything as its length.
		if (typeof length !== 'number') throw new NotPlain(EXPECTED_PLAIN_DATA);
		if (length > MAX_VALUES) throw new NotPlain(`data of at most ${MAX_VALUES} values`);
		const copy: unknown[] = [];
		for (let index = 0; index < length; index++) copy.push(this.copy(getOwnValue(given, index)));
		return copy;
	}

	/** A key such as `__proto__` stays a key, and a function is left out, as in JSON. */
	private copyObject(given: object): object {
		// Each byte of a buffer is a key, and so is each character of a text object. A large buffer is made quickly, but to
		// list its keys takes long. So its size is checked first.
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
			// Values that are left out take time as well.
			else this.count();
		}
		return Object.fromEntries(entries);
	}

	/** Formats a Date, or a DateTime of Luxon such as n8n's `$now`, as ISO 8601. */
	private formatTime(given: object): string | undefined {
		// Most objects are neither.
		if (Reflect.getPrototypeOf(given) === Object.prototype) return undefined;
		const milliseconds = this.getDateTime(given) ?? getLuxonTime(given);
		if (milliseconds === undefined) return undefined;
		const date = new Date(milliseconds);
		if (Number.isNaN(date.getTime())) throw new NotPlain('data in which each time is a real one');
		return date.toISOString();
	}

	/**
	 * The language distinguishes a Date from other objects without a failure, whatever their class or realm, unless they
	 * name their own kind. Such an object is put to the method of Date, which accepts Dates alone; a method of the value
	 * would be foreign.
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

	/** Whether the object, or what it inherits from, has a name of its own. */
	private isDisguised(given: object): boolean {
		let one: object | null = given;
		for (let level = 0; one && level < MAX_CLASS_DEPTH; level++) {
			// Each level takes time as well.
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

/** More levels than classes have; those of a proxy may have no end. */
const MAX_CLASS_DEPTH = 20;

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

/** An invalid DateTime contains the present time, with the reason beside it. */
function getLuxonTime(given: object): number | undefined {
	if (!Object.hasOwn(given, 'isLuxonDateTime')) return undefined;
	const milliseconds = getOwnValue(given, 'ts');
	if (typeof milliseconds !== 'number') return undefined;
	return getOwnValue(given, 'invalid') === null ? milliseconds : NaN;
}
