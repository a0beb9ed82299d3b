import { isRecord } from '../../../../nodes/core';

/** In JSON that is known to be right. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** Most JSON holds no number that could lose a digit. */
const LONG_NUMBER = /(?:^|[[:,\s])-?(?:[\d.]{16}|\d[\d.]*[eE])/;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * JSON from text, or from what an expression gave. A number of the text that a JavaScript number does not hold is a
 * symbol with its text, which no JSON can be mistaken for: what becomes of it is up to the field. A number of an
 * expression stays what it is, and one beyond the safe integers may have lost digits.
 */
export function exactJson(given: unknown): unknown {
	return typeof given === 'string' ? fromText(given) : fromValue(given);
}

function fromText(text: string): unknown {
	const value: unknown = JSON.parse(text);
	return LONG_NUMBER.test(text)
		? exact(value, JSON.parse(text.replace(STRING_OR_NUMBER, quoted)))
		: value;
}

function quoted(token: string): string {
	return token.startsWith('"') ? token : `"${token}"`;
}

/** The value with the numbers as they are written: the same JSON, with all its numbers in quotes. */
function exact(value: unknown, written: unknown): unknown {
	if (typeof value === 'number') return exactNumber(written as string);
	if (Array.isArray(value)) {
		return value.map((item, index) => exact(item, (written as unknown[])[index]));
	}
	return isRecord(value)
		? mapValues(value, (item, key) => exact(item, (written as typeof value)[key]))
		: value;
}

function exactNumber(text: string): number | symbol {
	const value = Number(text);
	const isSafe = Number.isSafeInteger(value) || !Number.isInteger(value);
	return isSafe && isSame(String(value), text) ? value : Symbol(text);
}

/** As `JSON.stringify` sees a value, but with all numbers there are. */
function fromValue(value: unknown): unknown {
	if (typeof value === 'bigint') return exactNumber(String(value));
	if (typeof value === 'function' || typeof value === 'symbol') return undefined;
	if (typeof value !== 'object' || value === null) return value;
	if ('toJSON' in value && typeof value.toJSON === 'function') return fromValue(value.toJSON());
	if (Array.isArray(value)) return Array.from(value, (item) => fromValue(item) ?? null);
	const entries = Object.entries(value).map(([key, item]) => [key, fromValue(item)] as const);
	return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/** The same text for each way to write a number; a whole one in digits alone, unless it is huge. */
export function decimal(text: string): string {
	const [, sign = '', whole, part = '', exponent = '0'] = NUMBER.exec(text) ?? [];
	if (whole === undefined) return text;
	const all = (whole + part).replace(/^0+/, '');
	const digits = all.replace(/(?<!0)0+$/, '');
	if (digits === '') return '0';
	const zeros = Number(exponent) - part.length + all.length - digits.length;
	const isLong = zeros >= 0 && zeros <= 20;
	return sign + digits + (isLong ? '0'.repeat(zeros) : `e${zeros}`);
}

/** Whether a double stands for this number: a whole one to the last digit, a fraction as near as it comes. */
export function isDouble(text: string): boolean {
	const value = Number(text);
	if (!Number.isFinite(value)) return false;
	if (!Number.isInteger(value)) return true;
	return [String(value), String(BigInt(value))].some((spelling) => isSame(spelling, text));
}

function isSame(one: string, other: string): boolean {
	return one === other || decimal(one) === decimal(other);
}

export function mapValues(
	record: Readonly<Record<string, unknown>>,
	change: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(record).map(([key, value]) => [key, change(value, key)]),
	);
}
