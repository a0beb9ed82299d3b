import { ScalarType, type DescEnum } from '@bufbuild/protobuf';
import { formatBytes, type BytesAs } from './bytes.mts';
import { decimal, isDouble } from './exactJson.mts';
import { numberToJson, shortestFloat } from './numbers.mts';

/**
 * The value that JSON stands for, to be checked where it is set; undefined when it is none of this type. See `exactJson`
 * for its numbers. Bytes are read elsewhere: how they are written is up to the user.
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

/** The keys of JSON are text, whatever they stand for. */
export function parseMapKey(type: ScalarType, key: string): unknown {
	if (type === ScalarType.BOOL) return { true: true, false: false }[key];
	return parseScalar(type, key);
}

/** By its name, or by its number. */
export function parseEnum({ values, typeName }: DescEnum, json: unknown): number | undefined {
	if (json === null && typeName === 'google.protobuf.NullValue') return 0;
	if (typeof json !== 'string') return small(parseInteger(json));
	return values.find(({ name, jsonName }) => name === json || jsonName === json)?.number;
}

/** JSON for the value of a field that is no message and no enum. */
export function scalarToJson(type: ScalarType | undefined, value: unknown, as?: BytesAs): unknown {
	if (typeof value === 'bigint') return String(value);
	if (type === ScalarType.BYTES) return formatBytes(value as Uint8Array, as);
	if (typeof value !== 'number') return value;
	return numberToJson(type === ScalarType.FLOAT ? shortestFloat(value) : value);
}

/** Its name, or its number where that has none. */
export function enumToJson({ value: values, typeName }: DescEnum, number: number) {
	return typeName === 'google.protobuf.NullValue' ? null : (values[number]?.jsonName ?? number);
}

/** A number that a Struct may hold: JSON knows no NaN, and a double not every digit. */
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

/** A number of an expression that is not safe may have lost digits before. */
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
