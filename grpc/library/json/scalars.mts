import { ScalarType, type DescEnum } from '@bufbuild/protobuf';
import { isRecord } from '../../../nodes/core/index';
import { formatBytes, type BytesAs } from './bytes.mts';

/** The tokens of valid JSON. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** Most JSON has no number that could lose a digit. */
const LONG_NUMBER = /(?:^|[[:,\s])-?(?:[\d.]{16}|\d[\d.]*[eE])/;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Parses JSON text, or normalizes the value of an expression. A number in the text that a JavaScript number does not
 * hold exactly becomes a symbol whose description is its text; the type of the field decides what it means. An unsafe
 * integer in a value stays, but may have lost digits.
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

/** `written` is the same JSON with all numbers as strings. */
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

/** As JSON.stringify would, but with bigints, NaN and Infinity. */
function fromValue(value: unknown): unknown {
	if (typeof value === 'bigint') return exactNumber(String(value));
	if (typeof value === 'function' || typeof value === 'symbol') return undefined;
	if (typeof value !== 'object' || value === null) return value;
	if ('toJSON' in value && typeof value.toJSON === 'function') return fromValue(value.toJSON());
	if (Array.isArray(value)) return Array.from(value, (item) => fromValue(item) ?? null);
	const entries = Object.entries(value).map(([key, item]) => [key, fromValue(item)] as const);
	return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/** The canonical form of a number's text; integers in digits alone, unless they are huge. */
function decimal(text: string): string {
	const [, sign = '', whole, part = '', exponent = '0'] = NUMBER.exec(text) ?? [];
	if (whole === undefined) return text;
	const all = (whole + part).replace(/^0+/, '');
	const digits = all.replace(/(?<!0)0+$/, '');
	if (digits === '') return '0';
	const zeros = Number(exponent) - part.length + all.length - digits.length;
	const isLong = zeros >= 0 && zeros <= 20;
	return sign + digits + (isLong ? '0'.repeat(zeros) : `e${zeros}`);
}

/** Whether a double holds the number: an integer exactly, a fraction as near as doubles come. */
function isDouble(text: string): boolean {
	const value = Number(text);
	if (!Number.isFinite(value)) return false;
	if (!Number.isInteger(value)) return true;
	return [String(value), String(BigInt(value))].some((spelling) => isSame(spelling, text));
}

function isSame(one: string, other: string): boolean {
	return one === other || decimal(one) === decimal(other);
}

function mapValues(
	record: Readonly<Record<string, unknown>>,
	change: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(record).map(([key, value]) => [key, change(value, key)]),
	);
}

/**
 * The value of a scalar field other than bytes, from the output of `exactJson`; undefined for JSON of another type.
 * Ranges are checked where it is set.
 */
export function parseScalar(type: ScalarType | undefined, json: unknown): unknown {
	switch (type) {
		case ScalarType.BOOL:
			return typeof json === 'boolean' ? json : undefined;
		case ScalarType.STRING:
			return typeof json === 'string' ? json : undefined;
		case ScalarType.DOUBLE:
		case ScalarType.FLOAT:
			return parseFloatingPoint(json);
		case ScalarType.INT64:
		case ScalarType.SINT64:
		case ScalarType.SFIXED64:
		case ScalarType.UINT64:
		case ScalarType.FIXED64:
			return parseInteger(json);
		default:
			return small(parseInteger(json));
	}
}

/** Keys of JSON objects are strings, whatever the type of the key. */
export function parseMapKey(type: ScalarType, key: string): unknown {
	if (type === ScalarType.BOOL) return { true: true, false: false }[key];
	return parseScalar(type, key);
}

/** By name or number. */
export function parseEnum({ values, typeName }: DescEnum, json: unknown): number | undefined {
	if (json === null && typeName === 'google.protobuf.NullValue') return 0;
	if (typeof json !== 'string') return small(parseInteger(json));
	return values.find(({ name, jsonName }) => name === json || jsonName === json)?.number;
}

export function scalarToJson(type: ScalarType | undefined, value: unknown, as?: BytesAs): unknown {
	if (typeof value === 'bigint') return String(value);
	if (type === ScalarType.BYTES) return formatBytes(value as Uint8Array, as);
	if (typeof value !== 'number') return value;
	return numberToJson(type === ScalarType.FLOAT ? shortestFloat(value) : value);
}

/** The name, or a number that has none. */
export function enumToJson({ value: values, typeName }: DescEnum, number: number) {
	return typeName === 'google.protobuf.NullValue' ? null : (values[number]?.jsonName ?? number);
}

/** A number of a Struct: finite, and exact as a double. */
export function parseDouble(json: unknown): number | undefined {
	if (typeof json === 'symbol') return isDouble(textOf(json)) ? Number(textOf(json)) : undefined;
	return typeof json === 'number' && Number.isFinite(json) ? json : undefined;
}

const NOT_FINITE: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);

function parseFloatingPoint(json: unknown): number | undefined {
	if (typeof json === 'number') return json;
	const text = typeof json === 'symbol' ? textOf(json) : json;
	if (typeof text !== 'string') return undefined;
	if (NOT_FINITE.has(text)) return Number(text);
	const isWritten = text !== '' && text.trim() === text && !/^[+-]?0[xob]/i.test(text);
	const value = isWritten ? Number(text) : NaN;
	return Number.isFinite(value) ? value : undefined;
}

/** Unsafe integers of an expression are refused: they may have lost digits. */
function parseInteger(json: unknown): bigint | undefined {
	if (typeof json === 'number') return Number.isSafeInteger(json) ? BigInt(json) : undefined;
	const text = typeof json === 'symbol' ? textOf(json) : json;
	const digits = typeof text === 'string' ? decimal(text) : '';
	return /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
}

function small(integer: bigint | undefined): number | undefined {
	return integer === undefined ? undefined : Number(integer);
}

function textOf(number: symbol): string {
	return String(number.description);
}

/** NaN and infinities as strings. */
export function numberToJson(value: number): number | string {
	return Number.isFinite(value) ? value : String(value);
}

/** 0.3, where the double of the float shows 0.30000001192092896. */
function shortestFloat(float: number): number {
	for (let digits = 1; digits < 9; digits++) {
		const short = Number(float.toPrecision(digits));
		if (Math.fround(short) === float) return short;
	}
	return Number(float.toPrecision(9));
}
