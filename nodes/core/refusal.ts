/** Thrown by a reader: says what a value must be. The reader of the field adds its name and what was given. */
export class Unfit extends Error {}

/** A value the user gave cannot be used: nothing was sent. */
export class Refusal extends Error {
	constructor(
		message: string,
		readonly description?: string,
	) {
		super(message);
	}
}

export function unfit(wanted: string): never {
	throw new Unfit(wanted);
}

/** Runs a reader on what was given for a field; a misfit becomes a refusal that names the field. */
export function readAs<T>(label: string, given: unknown, read: (given: unknown) => T): T {
	try {
		return read(given);
	} catch (error) {
		if (error instanceof Unfit) return refuse(label, error.message, given);
		return rethrow(error);
	}
}

function refuse(label: string, wanted: string, given: unknown): never {
	const got = isBlank(given) ? 'it is empty' : `got ${show(given)}`;
	throw new Refusal(`'${label}' must be ${wanted}; ${got}`);
}

export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

const SHOWN = 80;

/** A value as a person would write it, short enough for an error message. */
export function show(value: unknown): string {
	const isNumber = typeof value === 'number' || typeof value === 'bigint';
	const text = isNumber ? String(value) : (JSON.stringify(value, withBigInt) ?? String(value));
	return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text;
}

/** JSON knows no big integers. */
function withBigInt(_key: string, value: unknown): unknown {
	return typeof value === 'bigint' ? value.toString() : value;
}

function rethrow(error: unknown): never {
	throw error;
}
