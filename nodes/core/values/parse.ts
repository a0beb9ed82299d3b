import { InvalidInput, RefusedSecret } from '../errors/invalidInput';
import { formatExcerpt } from './excerpt';
import { raise } from '../errors/raise';

/** Parses a value from a user or an expression, which may be of any type. Throws InvalidValue. */
export type Parse<T = unknown> = (given: unknown) => T;

/** Is thrown by parsers. The message is the end of the sentence "The value must be …". */
export class InvalidValue extends Error {
	constructor(
		message: string,
		/** What the user can do, in complete sentences. */
		readonly advice?: string,
	) {
		super(message);
	}
}

/** Is thrown for a value that may be a secret. The error must not repeat the value. */
export class InvalidSecret extends InvalidValue {}

/** Parses the value of a field. If it is invalid, throws InvalidInput, which names the field and shows the value. */
export function parseField<T>(label: string, given: unknown, parse: Parse<T>): T {
	const value = catching(InvalidValue, () => parse(given));
	if (!(value instanceof InvalidValue)) return value;
	if (value instanceof InvalidSecret)
		throw new RefusedSecret(`'${label}' must be ${value.message}`, value.advice);
	const got = isBlank(given) ? 'it is empty' : `got ${formatExcerpt(given)}`;
	throw new InvalidInput(
		`'${label}' must be ${value.message}; ${got}`,
		isExpressionText(given) ? EXPRESSION_ADVICE : (value.advice ?? getCommaAdvice(given)),
	);
}

const EXPRESSION_ADVICE =
	'n8n took the expression as text. Drag the value from the input onto the field, or switch the field from Fixed to Expression. A list without that switch takes its own entries only.';

const COMMA_NUMBER_PATTERN = /^[+-]?\d[\d.,]*(\s*[a-z]+)?$/i;
const MAX_COMMA_CHARS = 100;

/** Returns advice for numbers with a comma, because many languages write 1,5 for one and a half. */
function getCommaAdvice(given: unknown): string | undefined {
	const text = trimText(given);
	const isNumber = text.includes(',') && text.length <= MAX_COMMA_CHARS;
	return isNumber && COMMA_NUMBER_PATTERN.test(text)
		? 'Write decimals with a point, not a comma, and nothing between thousands: 1234.5.'
		: undefined;
}

/**
 * Whether the text is an expression that n8n did not evaluate, such as {{ $json.id }}. Valid JSON never has two
 * opening braces in a row.
 */
function isExpressionText(given: unknown): boolean {
	return typeof given === 'string' && given.includes('{{');
}

type ErrorClass<Failure> = new (...details: never[]) => Failure;

/** Returns errors of the expected class, and throws all other errors. */
export function catching<Result, Failure extends Error>(
	expected: ErrorClass<Failure>,
	work: () => Result,
): Result | Failure {
	try {
		return work();
	} catch (error) {
		return error instanceof expected ? error : rethrow(error);
	}
}

/**
 * Throws an error where an expression is needed, or in a catch clause, because n8n's lint rules forbid `throw error`
 * there.
 */
export function rethrow(error: unknown): never {
	throw error;
}

export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the trimmed text; an empty text for any other type. */
export function trimText(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

/** Parses text and trims it. A number becomes text. */
export const parseText: Parse<string> = (given) => {
	if (given === undefined || given === null) return '';
	if (typeof given === 'string') return given.trim();
	if (typeof given === 'number' || typeof given === 'bigint') return String(given);
	throw new InvalidValue('text');
};

/**
 * Parses text into UTF-8 bytes, without trimming. Text with half of a character (a lone surrogate) is refused,
 * because it would become U+FFFD.
 */
export const parseUtf8: Parse<Buffer> = (given) => {
	if (typeof given !== 'string') throw new InvalidValue('text');
	const encoded = Buffer.from(given);
	return encoded.toString() === given ? encoded : raise(new InvalidValue('valid Unicode text'));
};

/** Parses text, a number, a boolean or an empty value into UTF-8 bytes, without trimming. */
export const parseExactText: Parse<Buffer> = (given) => {
	const isPlain = typeof given === 'number' || typeof given === 'boolean';
	return parseUtf8(isPlain ? String(given) : (given ?? ''));
};

/** Makes a parser like `parseExactText` for at most `maxBytes` bytes. Longer text is refused before it is encoded. */
export function exactTextParser(maxBytes: number): Parse<Buffer> {
	const refuse = () => raise(new InvalidValue(`text of at most ${maxBytes} bytes`));
	return (given) => {
		if (typeof given === 'string' && given.length > maxBytes) return refuse();
		const encoded = parseExactText(given);
		return encoded.length <= maxBytes ? encoded : refuse();
	};
}

export const parseBoolean: Parse<boolean> = (given) => {
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	throw new InvalidValue('true or false');
};

export const parseNumber: Parse<number> = (given) => {
	const value = trimText(given) === '' ? given : Number(given);
	return typeof value === 'number' && Number.isFinite(value)
		? value
		: raise(new InvalidValue('a number'));
};

/** Makes a parser for safe integers from `least` to `most`, including both. */
export function wholeNumberParser(least: number, most = Number.MAX_SAFE_INTEGER): Parse<number> {
	const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
	return (given) => {
		const value = /^\d+$/.test(trimText(given)) ? Number(given) : given;
		const fits = Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
		return fits ? Number(value) : raise(new InvalidValue(`a whole number, ${range}`));
	};
}

export function choiceParser(values: readonly string[]): Parse<string> {
	return (given) =>
		values.find((value) => value === given) ??
		raise(new InvalidValue(`one of ${values.join(', ')}`));
}

export function choicesParser(values: readonly string[]): Parse<string[]> {
	const one = choiceParser(values);
	return (given) => (Array.isArray(given) ? given.map(one) : raise(new InvalidValue('a list')));
}
