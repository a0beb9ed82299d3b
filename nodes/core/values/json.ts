import { JsonCost, JsonTooLarge } from './jsonCost';
import { catching, isBlank, isRecord, rethrow, type Parse, InvalidValue } from './parse';
import { raise } from '../errors/raise';

/** A JSON object after parsing. */
export type JsonObject = Readonly<Record<string, unknown>>;

const EXPECTED_EXACT_JSON =
	'JSON without whole numbers above 2^53: write them as text or as 0x-hex';

/**
 * Parses JSON text. Values that are no text, such as an object from an expression, are returned unchanged. Throws if
 * a number may have lost digits.
 */
export const parseJsonValue: Parse<unknown> = (given) => {
	if (typeof given !== 'string')
		return hasUnsafeNumber(given) ? raise(new InvalidValue(EXPECTED_EXACT_JSON)) : given;
	return parseExactText(given).value;
};

function parseExactText(given: string): Parsed {
	const parsed = parseIfValid(given);
	if (parsed === undefined) throw new InvalidValue('valid JSON');
	return parsed.isExact ? parsed : raise(new InvalidValue(EXPECTED_EXACT_JSON));
}

/**
 * Parses JSON. Throws if an object has the same name twice, because people may read the first value while parsers use
 * the last.
 */
export const parseUniqueJson: Parse<unknown> = (given) => {
	if (typeof given !== 'string') return parseJsonValue(given);
	return requireUnique(parseExactText(given));
};

function requireUnique({ value, names }: Parsed): unknown {
	return names === countMembers(value)
		? value
		: raise(new InvalidValue('JSON in which no object has the same name twice'));
}

function countMembers(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const parts: unknown[] = Object.values(value);
	const own = Array.isArray(value) ? 0 : parts.length;
	return parts.reduce<number>((count, part) => count + countMembers(part), own);
}

/** Checks JSON text, and returns it unchanged, so that all digits are kept. */
export const parseJsonText: Parse<string> = (given) => {
	if (typeof given !== 'string')
		return JSON.stringify(parseJsonValue(given)) ?? raise(new InvalidValue('JSON'));
	return parseJsonIfValid(given) === undefined ? raise(new InvalidValue('valid JSON')) : given;
};

export const parseJsonList: Parse<unknown[]> = (given) => {
	const value = parseJsonValue(given);
	return Array.isArray(value) ? (value as unknown[]) : raise(new InvalidValue('a JSON array'));
};

/** Parses JSON-RPC parameters: a list, or an object of named parameters. */
export const parseJsonParams: Parse<unknown[] | Record<string, unknown>> = (given) => {
	const value = parseJsonValue(given);
	if (Array.isArray(value)) return value as unknown[];
	return isRecord(value)
		? value
		: raise(new InvalidValue('a JSON array, or a JSON object of named parameters'));
};

/** Parses a list of JSON objects; a single object becomes a list of one. */
export const parseJsonObjects: Parse<Array<Record<string, unknown>>> = (given) => {
	const value = parseJsonValue(given);
	const list: unknown[] = Array.isArray(value) ? value : [value];
	return list.length > 0 && list.every(isRecord)
		? list
		: raise(new InvalidValue('a JSON object, or an array of JSON objects'));
};

/** A longer list is refused, because parsing more addresses would block n8n. */
const MAX_LIST_VALUES = 20_000;

/**
 * Makes a parser for lists, given as an array, a JSON array or text with commas or spaces. A single value is
 * accepted, too.
 */
export function listParser<T>(read: Parse<T>): Parse<T[]> {
	return (given) => {
		if (isBlank(given)) return [];
		const list = splitList(typeof given === 'string' ? given.trim() : given);
		return list.length <= MAX_LIST_VALUES
			? list.map(read)
			: raise(new InvalidValue(`a list of at most ${MAX_LIST_VALUES} values`));
	};
}

/** Splits text into values. After slightly more values than allowed, the rest of the text is ignored. */
function splitList(given: unknown): unknown[] {
	if (Array.isArray(given)) return given as unknown[];
	if (typeof given !== 'string') return [given];
	if (given.startsWith('[')) return parseJsonList(given);
	// The first and the last part may be empty.
	const parts = given.split(/[\s,]+/, MAX_LIST_VALUES + 3);
	return parts.filter((part) => part !== '');
}

function hasUnsafeNumber(value: unknown): boolean {
	if (typeof value === 'number') return mayHaveLostDigits(value);
	return typeof value === 'object' && value !== null && Object.values(value).some(hasUnsafeNumber);
}

/**
 * Whether a number may have lost digits. A double has 15 reliable digits: 1e18 is exact, but a number with more
 * digits may be rounded.
 */
function mayHaveLostDigits(value: number): boolean {
	if (!Number.isInteger(value) || Number.isSafeInteger(value)) return false;
	const [digits = ''] = Math.abs(value).toExponential().split('e');
	return digits.replace('.', '').length > 15;
}

/** Parses JSON. Integers above 2^53 become strings. Throws JsonTooLarge if parsing would block n8n. */
export function parseJson(source: string): unknown {
	return parse(source).value;
}

interface Parsed extends Pick<Searched, 'names'> {
	readonly value: unknown;
	/** Whether all integers stayed numbers, so that none was too large. */
	readonly isExact: boolean;
}

function parse(source: string): Parsed {
	let quoted = '';
	let copied = 0;
	const { found, names } = searchJson(source);
	for (const [start, end] of found) {
		quoted += `${source.slice(copied, start)}"${source.slice(start, end)}"`;
		copied = end;
	}
	const isExact = copied === 0;
	return { value: JSON.parse(isExact ? source : quoted + source.slice(copied)), isExact, names };
}

/** Parses JSON; returns undefined if it is invalid or too large. */
export function tryParseJson(source: string): unknown {
	const value = catching(JsonTooLarge, () => parseJsonIfValid(source));
	return value instanceof JsonTooLarge ? undefined : value;
}

/**
 * Parses JSON, and returns undefined if it is invalid or too large. Throws InvalidValue if an object has the same
 * name twice.
 */
export function tryParseUniqueJson(source: string): unknown {
	const parsed = catching(JsonTooLarge, () => parseIfValid(source));
	return parsed === undefined || parsed instanceof JsonTooLarge ? undefined : requireUnique(parsed);
}

/** Parses JSON, and returns undefined if it is invalid. Throws JsonTooLarge if it is too large. */
export function parseJsonIfValid(source: string): unknown {
	return parseIfValid(source)?.value;
}

function parseIfValid(source: string): Parsed | undefined {
	try {
		return parse(source);
	} catch (failure) {
		return failure instanceof JsonTooLarge ? rethrow(failure) : undefined;
	}
}

/** Formats JSON. A bigint is written as a number with all its digits. */
export function stringifyExactJson(value: unknown): string {
	if (typeof value === 'bigint') return String(value);
	if (Array.isArray(value)) return `[${value.map(stringifyExactJson).join(',')}]`;
	if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
	const entries = Object.entries(value).filter(([, one]) => one !== undefined);
	return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${stringifyExactJson(one)}`).join(',')}}`;
}

/** Estimates the length of a value as JSON. If the length exceeds `most`, the estimate may be too low. */
export function estimateJsonChars(value: unknown, most: number): number {
	if (typeof value === 'string') return value.length + QUOTES_CHARS;
	if (typeof value !== 'object' || value === null) return String(value).length;
	let length = QUOTES_CHARS;
	const isList = Array.isArray(value);
	for (const [key, part] of Object.entries(value)) {
		length +=
			(isList ? 0 : key.length + QUOTES_CHARS) +
			SEPARATOR_CHARS +
			estimateJsonChars(part, most - length);
		if (length > most) break;
	}
	return length;
}

/** The two quotes of a text, or the two brackets of a list or an object. */
const QUOTES_CHARS = 2;
const SEPARATOR_CHARS = 1;

/** Deeper JSON is refused, because n8n serializes items recursively, and its stack overflows at about 4,000 levels. */
const MAX_JSON_DEPTH = 3000;
const MIN_UNSAFE_CHARS = 16;
const MAX_SAFE_CHARS = String(Number.MIN_SAFE_INTEGER).length;

const getCharCodes = (characters: string) =>
	[...characters].map((character) => character.charCodeAt(0));
const [
	QUOTE,
	OPEN_LIST,
	OPEN_OBJECT,
	CLOSE_LIST,
	CLOSE_OBJECT,
	MINUS,
	ZERO = 0,
	NINE = 0,
	COLON,
	COMMA,
	SPACE = 0,
] = getCharCodes('"[{]}-09:, ');
const NUMBER_CHAR_CODES = new Set(getCharCodes('.eE+-'));

interface Searched {
	/** The positions of integers above 2^53 outside strings, as pairs of start and end. */
	readonly found: ReadonlyArray<readonly [number, number]>;
	/** The number of member names in the text, including repeated names. */
	readonly names: number;
}

/**
 * Searches JSON for large integers and computes the cost of parsing. It does so in one pass, because every response
 * is searched.
 */
function searchJson(source: string): Searched {
	const found: Array<readonly [number, number]> = [];
	const cost = new JsonCost();
	let depth = 0;
	let text = { start: 0, end: 0 };
	for (let at = 0; at < source.length; ) {
		const start = at;
		const code = source.charCodeAt(at++);
		if (code === QUOTE) {
			at = findStringEnd(source, start, cost);
			text = { start, end: at };
			cost.addText(at - start);
		} else if (code <= SPACE) {
			while (source.charCodeAt(at) <= SPACE) at++;
			cost.addSpace(at - start);
		} else if (code === COMMA) cost.addComma();
		else if (code === COLON) cost.addName(source, text.start, text.end);
		else if (code === OPEN_LIST || code === OPEN_OBJECT) {
			depth++;
			cost.addContainer();
		} else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
		else if (isDigit(code) || code === MINUS) {
			while (isDigit(source.charCodeAt(at)) || NUMBER_CHAR_CODES.has(source.charCodeAt(at))) at++;
			cost.addNumber(at - start);
			if (at - start >= MIN_UNSAFE_CHARS && isUnsafeInteger(source.slice(start, at))) {
				cost.addQuotedNumber();
				found.push([start, at]);
			}
		} else cost.addOther();
		if (depth > MAX_JSON_DEPTH) throw new SyntaxError('The JSON is nested too deeply');
	}
	return { found, names: cost.names };
}

function isDigit(code: number): boolean {
	return code >= ZERO && code <= NINE;
}

function isUnsafeInteger(number: string): boolean {
	const isInteger = /^-?[1-9]/.test(number) && !/\D/.test(number.slice(1));
	return isInteger && (number.length > MAX_SAFE_CHARS || !Number.isSafeInteger(Number(number)));
}

/** Returns the index after the closing quote of a string; the end of the text if the quote is missing. */
function findStringEnd(source: string, start: number, cost: JsonCost): number {
	for (let end = start + 1; ; end++) {
		end = source.indexOf('"', end);
		if (end < 0) return source.length;
		let slashes = 0;
		while (source[end - 1 - slashes] === '\\') slashes++;
		if (slashes % 2 === 0) return end + 1;
		cost.addEscapedQuote();
	}
}
