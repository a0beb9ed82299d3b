import { ScalarType, type DescEnum } from '@bufbuild/protobuf';
import { formatBytes, type BytesAs } from './bytes.mts';
import { normalizeDecimal, isDouble } from './decimals.mts';

const UNSIGNED_TYPES: ReadonlySet<ScalarType> = new Set([
	ScalarType.UINT32,
	ScalarType.FIXED32,
	ScalarType.UINT64,
	ScalarType.FIXED64,
]);
const LONG_TYPES: ReadonlySet<ScalarType> = new Set([
	ScalarType.INT64,
	ScalarType.SINT64,
	ScalarType.SFIXED64,
	ScalarType.UINT64,
	ScalarType.FIXED64,
]);

/**
 * Parses a scalar field other than bytes from the output of `exactJson`; undefined for JSON of another type. Ranges are
 * checked when it is set.
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
		default:
			return type && LONG_TYPES.has(type) ? parseInteger(json) : toNumber(parseInteger(json));
	}
}

/** Keys of JSON objects are strings, whatever the type of the map's key. Undefined for a string that is no key of the type. */
export function parseMapKey(type: ScalarType, key: string): unknown {
	if (type === ScalarType.STRING) return isUnicode(key) ? key : undefined;
	if (type === ScalarType.BOOL) return key === 'true' || (key === 'false' ? false : undefined);
	const integer = parseInteger(key);
	const within = UNSIGNED_TYPES.has(type) ? BigInt.asUintN : BigInt.asIntN;
	const isKey =
		integer !== undefined && within(LONG_TYPES.has(type) ? 64 : 32, integer) === integer;
	return isKey ? parseScalar(type, key) : undefined;
}

/** Returns false for text with half a character, which would be sent as a different one. */
export function isUnicode(text: string): boolean {
	return !/\p{Surrogate}/u.test(text);
}

/** Parses an enum by name or number. */
export function parseEnum({ values, typeName }: DescEnum, json: unknown): number | undefined {
	if (json === null && typeName === 'google.protobuf.NullValue') return 0;
	if (typeof json !== 'string') return toNumber(parseInteger(json));
	return values.find(({ name, jsonName }) => name === json || jsonName === json)?.number;
}

export function scalarToJson(type: ScalarType | undefined, value: unknown, as?: BytesAs): unknown {
	if (typeof value === 'bigint') return String(value);
	if (type === ScalarType.BYTES) return formatBytes(value as Uint8Array, as);
	if (typeof value !== 'number') return value;
	return numberToJson(type === ScalarType.FLOAT ? shortenFloat(value) : value);
}

/** Returns the name, or the number if it has none. */
export function enumToJson({ value: values, typeName }: DescEnum, number: number) {
	return typeName === 'google.protobuf.NullValue' ? null : (values[number]?.jsonName ?? number);
}

/** A number in a Struct must be finite, and exact as a double. */
export function parseDouble(json: unknown): number | undefined {
	if (typeof json === 'symbol')
		return isDouble(getSymbolText(json)) ? Number(getSymbolText(json)) : undefined;
	return typeof json === 'number' && Number.isFinite(json) ? json : undefined;
}

const NOT_FINITE_NAMES: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);

function parseFloatingPoint(json: unknown): number | undefined {
	if (typeof json === 'number') return json;
	const text = typeof json === 'symbol' ? getSymbolText(json) : json;
	if (typeof text !== 'string') return undefined;
	if (NOT_FINITE_NAMES.has(text)) return Number(text);
	const isWritten = text !== '' && text.trim() === text && !/^[+-]?0[xob]/i.test(text);
	const value = isWritten ? Number(text) : NaN;
	return Number.isFinite(value) ? value : undefined;
}

/** Unsafe integers from an expression are refused: they may have lost digits. */
function parseInteger(json: unknown): bigint | undefined {
	if (typeof json === 'number') return Number.isSafeInteger(json) ? BigInt(json) : undefined;
	const text = typeof json === 'symbol' ? getSymbolText(json) : json;
	const digits = typeof text === 'string' ? normalizeDecimal(text) : '';
	return /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
}

function toNumber(integer: bigint | undefined): number | undefined {
	return integer === undefined ? undefined : Number(integer);
}

function getSymbolText(number: symbol): string {
	return String(number.description);
}

/** NaN and infinities become strings. */
export function numberToJson(value: number): number | string {
	return Number.isFinite(value) ? value : String(value);
}

/** Shortens a float to 0.3, where its double would be 0.30000001192092896. */
function shortenFloat(float: number): number {
	if (float === 0) return float;
	for (let digits = 1; digits < 9; digits++) {
		const short = Number(float.toPrecision(digits));
		if (Math.fround(short) === float) return short;
	}
	return Number(float.toPrecision(9));
}
