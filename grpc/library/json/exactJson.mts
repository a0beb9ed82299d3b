import { isRecord } from '../../../nodes/core/index';
import { isSameNumber } from './decimals.mts';
import { JsonPath } from './jsonPath.mts';
import { checkNesting } from './nesting.mts';

/** The tokens of valid JSON. */
const STRING_OR_NUMBER_PATTERN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** Most JSON has no number that could lose a digit. */
const LONG_NUMBER_PATTERN = /(?:^|[[:,\s])-?(?:[\d.]{16}|\d[\d.]*[eE])/;

/**
 * Parses JSON text, or normalizes the value of an expression. A number in the text that a JavaScript number cannot
 * represent exactly becomes a symbol whose description is its text; the type of the field decides what it means. An
 * unsafe integer in a value stays, but may have lost digits. Throws InvalidValue for duplicate keys and for nesting
 * that is too deep.
 */
export function parseExactJson(given: unknown): unknown {
	return typeof given === 'string' ? parseText(given) : normalizeValue(given, new JsonPath());
}

function parseText(text: string): unknown {
	const value: unknown = JSON.parse(text);
	checkNesting(text);
	return LONG_NUMBER_PATTERN.test(text)
		? restoreExact(value, JSON.parse(text.replace(STRING_OR_NUMBER_PATTERN, quoteNumber)))
		: value;
}

function quoteNumber(token: string): string {
	return token.startsWith('"') ? token : `"${token}"`;
}

/** Restores exact numbers from `written`, which is the same JSON with all numbers as strings. */
function restoreExact(value: unknown, written: unknown): unknown {
	if (typeof value === 'number') return parseExactNumber(written as string);
	if (Array.isArray(value)) {
		return value.map((item, index) => restoreExact(item, (written as unknown[])[index]));
	}
	if (!isRecord(value)) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(
		entries.map(([key, item]) => [key, restoreExact(item, (written as typeof value)[key])]),
	);
}

function parseExactNumber(text: string): number | symbol {
	const value = Number(text);
	const isSafe = Number.isSafeInteger(value) || !Number.isInteger(value);
	return isSafe && isSameNumber(String(value), text) ? value : Symbol(text);
}

/** Works as JSON.stringify does, but keeps bigints, NaN and Infinity. */
function normalizeValue(value: unknown, path: JsonPath): unknown {
	if (typeof value === 'bigint') return parseExactNumber(String(value));
	if (typeof value === 'function' || typeof value === 'symbol') return undefined;
	if (typeof value !== 'object' || value === null) return value;
	if ('toJSON' in value && typeof value.toJSON === 'function')
		return normalizeValue(value.toJSON(), path);
	const inside = (item: unknown, part: string) =>
		path.inPart(part, () => normalizeValue(item, path));
	if (Array.isArray(value))
		return Array.from(value, (item, index) => inside(item, `[${index}]`) ?? null);
	const entries = Object.entries(value).map(([key, item]) => [key, inside(item, key)] as const);
	return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}
