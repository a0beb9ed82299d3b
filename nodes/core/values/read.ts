import { Refusal } from '../../../credentials/refusal';
import { excerpt } from './excerpt';

/**
 * Turns what the user or an expression gave into the value that an operation works with, or refuses it.
 * An expression can yield anything, so a reader trusts nothing.
 */
export type Read<T = unknown> = (given: unknown) => T;

/** Thrown by a reader: says what a value must be. The reader of the field adds its name and what was given. */
export class Unfit extends Error {}

export function unfit(wanted: string): never {
	throw new Unfit(wanted);
}

/** Runs a reader on what was given for a field; a misfit becomes a refusal that names the field. */
export function readAs<T>(label: string, given: unknown, read: Read<T>): T {
	try {
		return read(given);
	} catch (error) {
		if (error instanceof Unfit) return refuse(label, error.message, given);
		return rethrow(error);
	}
}

function refuse(label: string, wanted: string, given: unknown): never {
	const got = isBlank(given) ? 'it is empty' : `got ${excerpt(given)}`;
	throw new Refusal(`'${label}' must be ${wanted}; ${got}`);
}

export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

function rethrow(error: unknown): never {
	throw error;
}
