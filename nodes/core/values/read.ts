import { InvalidInput } from '../../../credentials/invalidInput';
import { excerpt } from './excerpt';

/** Parses what the user or an expression gave, which can be anything. Throws InvalidValue. */
export type Read<T = unknown> = (given: unknown) => T;

/** Its message ends the sentence "The value must be …". */
export class InvalidValue extends Error {}

export function mustBe(wanted: string): never {
	throw new InvalidValue(wanted);
}

/** Reads the value of a field. InvalidValue becomes InvalidInput, which names the field and what was given. */
export function readAs<T>(label: string, given: unknown, read: Read<T>): T {
	const value = attempt(InvalidValue, () => read(given));
	if (!(value instanceof InvalidValue)) return value;
	const got = isBlank(given) ? 'it is empty' : `got ${excerpt(given)}`;
	throw new InvalidInput(`'${label}' must be ${value.message}; ${got}`);
}

type ClassOf<Failure> = new (message: string) => Failure;

/** Returns errors of the expected class; rethrows the rest. */
export function attempt<Result, Failure extends Error>(
	expected: ClassOf<Failure>,
	work: () => Result,
): Result | Failure {
	try {
		return work();
	} catch (error) {
		return error instanceof expected ? error : rethrow(error);
	}
}

function rethrow(error: unknown): never {
	throw error;
}

export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** '' for anything but text. */
export function trimmed(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

/** Trimmed; a number as its text. */
export const text: Read<string> = (given) => {
	if (given === undefined || given === null) return '';
	if (typeof given === 'string') return given.trim();
	if (typeof given === 'number' || typeof given === 'bigint') return String(given);
	return mustBe('text');
};

/** The bytes of a text, as it is. A lone surrogate would become U+FFFD. */
export const utf8: Read<Buffer> = (given) => {
	if (typeof given !== 'string') return mustBe('text');
	const encoded = Buffer.from(given);
	return encoded.toString() === given ? encoded : mustBe('valid Unicode text');
};

/** The same, of a number or of nothing as well. */
export const exactText: Read<Buffer> = (given) => {
	const isPlain = typeof given === 'number' || typeof given === 'boolean';
	return utf8(isPlain ? String(given) : (given ?? ''));
};

export const boolean: Read<boolean> = (given) => {
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	return mustBe('true or false');
};

export const number: Read<number> = (given) => {
	const value = trimmed(given) === '' ? given : Number(given);
	return typeof value === 'number' && Number.isFinite(value) ? value : mustBe('a number');
};

/** A safe integer, both bounds included. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Read<number> {
	const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
	return (given) => {
		const value = /^\d+$/.test(trimmed(given)) ? Number(given) : given;
		const fits = Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
		return fits ? Number(value) : mustBe(`a whole number, ${range}`);
	};
}

export function oneOf(values: readonly string[]): Read<string> {
	return (given) =>
		values.find((value) => value === given) ?? mustBe(`one of ${values.join(', ')}`);
}

export function manyOf(values: readonly string[]): Read<string[]> {
	const one = oneOf(values);
	return (given) => (Array.isArray(given) ? given.map(one) : mustBe('a list'));
}
