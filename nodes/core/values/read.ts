import { InvalidInput } from '../../../credentials/invalidInput';
import { excerpt } from './excerpt';

/**
 * Turns what the user or an expression gave into the value that an operation works with, or refuses it.
 * An expression can yield anything, so a reader trusts nothing.
 */
export type Read<T = unknown> = (given: unknown) => T;

/** Thrown by a reader: says what a value must be. The reader of the field adds its name and what was given. */
export class InvalidValue extends Error {}

export function mustBe(wanted: string): never {
	throw new InvalidValue(wanted);
}

/** Runs a reader on what was given for a field; a misfit becomes a refusal that names the field. */
export function readAs<T>(label: string, given: unknown, read: Read<T>): T {
	try {
		return read(given);
	} catch (error) {
		if (error instanceof InvalidValue) return invalidInput(label, error.message, given);
		return rethrow(error);
	}
}

function invalidInput(label: string, wanted: string, given: unknown): never {
	const got = isBlank(given) ? 'it is empty' : `got ${excerpt(given)}`;
	throw new InvalidInput(`'${label}' must be ${wanted}; ${got}`);
}

export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

function rethrow(error: unknown): never {
	throw error;
}

type ClassOf<Failure> = new (message: string) => Failure;

/** What comes of the work, or the failure of this class that ends it. */
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

/** Text as given, without surrounding white space. Numbers are taken as they are written. */
export const text: Read<string> = (given) => {
	if (given === undefined || given === null) return '';
	if (typeof given === 'string') return given.trim();
	if (typeof given === 'number' || typeof given === 'bigint') return String(given);
	return mustBe('text');
};

export const boolean: Read<boolean> = (given) => {
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	return mustBe('true or false');
};

export const number: Read<number> = (given) => {
	const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	return typeof value === 'number' && Number.isFinite(value) ? value : mustBe('a number');
};

/** A whole number between two bounds, both included. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Read<number> {
	const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
	return (given) => {
		const value = typeof given === 'string' && /^\d+$/.test(given.trim()) ? Number(given) : given;
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

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
