import { formatNames } from '../../values/excerpt';
import {
	areAllNamed,
	buildNamedValues,
	parseIfJson,
	parseListItems,
	parseNamedValues,
} from '../../values/namedValues';
import { isRecord, parseField, InvalidValue } from '../../values/parse';
import type { CairoCodec, CairoParameter } from './codec';
import { DecodingError, type FeltReader, type FeltWriter } from './data';
import { raise } from '../../errors/raise';

function decodePart(type: CairoCodec, data: FeltReader): unknown {
	data.countValue();
	return type.decode(data);
}

export function decodeParameters(
	parameters: readonly CairoParameter[],
	data: FeltReader,
): unknown[] {
	return parameters.map(({ type }) => decodePart(type, data));
}

/** Encodes values. They are given as a list in order, as an object by name, or as JSON text of either. */
export function encodeParameters(
	parameters: readonly CairoParameter[],
	given: unknown,
	label: string,
	within: (key: string) => string,
	to: FeltWriter,
): void {
	const values = parseField(label, given, (raw) => parseNamedValues(parameters, raw));
	to.budget.spend(values.length);
	parameters.forEach(({ key, type }, index) => type.encode(values[index], within(key), to));
}

function sumLeastFelts(parameters: readonly CairoParameter[]): number {
	return parameters.reduce((sum, { type }) => sum + type.leastFelts, 0);
}

/** Builds the codec of a list of any length. The length is encoded before the items. */
export function buildListCodec(name: string, item: CairoCodec): CairoCodec {
	return {
		...buildItemsCodec(name, item, (data) => data.takeLength(item.leastFelts)),
		leastFelts: 1,
	};
}

/** Builds the codec of a list whose length is a part of its type. */
export function buildFixedListCodec(name: string, item: CairoCodec, length: number): CairoCodec {
	return {
		...buildItemsCodec(name, item, () => length, length),
		leastFelts: item.leastFelts * length,
	};
}

function buildItemsCodec(
	name: string,
	item: CairoCodec,
	takeCount: (data: FeltReader) => number,
	length?: number,
): Omit<CairoCodec, 'leastFelts'> {
	return {
		name,
		form: 'composed',
		decode: (data) => {
			const count = takeCount(data);
			const items: unknown[] = [];
			for (let index = 0; index < count; index++) items.push(decodePart(item, data));
			return items;
		},
		encode: (given, label, to) => {
			const items = parseField(label, given, (raw) => parseListItems(raw, length));
			to.budget.spend(items.length);
			if (length === undefined) to.felts.push(BigInt(items.length));
			items.forEach((one, index) => item.encode(one, `${label}[${index}]`, to));
		},
	};
}

export const unitCodec: CairoCodec = {
	name: '()',
	form: 'composed',
	leastFelts: 0,
	isNullable: true,
	decode: () => null,
	encode: (given, label) =>
		parseField(label, given, (raw) => {
			const isNothing =
				raw === null || raw === undefined || (Array.isArray(raw) && raw.length === 0);
			return (
				isNothing ||
				raise(
					new InvalidValue(
						'null, because the contract declares it with the empty type (), which holds no value',
					),
				)
			);
		}),
};

/** Builds the codec of a tuple. It is decoded to an object if all members have names, and otherwise to a list. */
export function buildTupleCodec(name: string, members: readonly CairoParameter[]): CairoCodec {
	return { ...buildStructCodec(name, members), decode: decodeTuple(members) };
}

function decodeTuple(members: readonly CairoParameter[]) {
	const isNamed = areAllNamed(members);
	return (data: FeltReader) => {
		const values = decodeParameters(members, data);
		return isNamed ? buildNamedValues(members, values) : values;
	};
}

export function buildStructCodec(name: string, members: readonly CairoParameter[]): CairoCodec {
	return {
		name,
		form: 'composed',
		leastFelts: sumLeastFelts(members),
		decode: (data) => buildNamedValues(members, decodeParameters(members, data)),
		encode: (given, label, to) =>
			encodeParameters(members, given, label, (key) => `${label}.${key}`, to),
	};
}

/** Builds the codec of an enum. A value is `{ variant: value }`, or the name of a variant that has no value. */
export function buildEnumCodec(name: string, variants: readonly CairoParameter[]): CairoCodec {
	const keys = variants.map(({ key }) => key);
	const wanted = `one of ${formatNames(keys)}, as in { "${keys[0] ?? 'variant'}": … }`;
	const parse = (raw: unknown) => parseVariant(keys, raw, wanted);
	return {
		name,
		form: 'composed',
		leastFelts:
			1 + variants.reduce((least, { type }) => Math.min(least, type.leastFelts), Infinity),
		decode: (data) => {
			const index = Number(data.take());
			const variant = variants[index];
			if (!variant) throw new DecodingError(`${name} has no variant ${index}`);
			return { [variant.key]: decodePart(variant.type, data) };
		},
		encode: (given, label, to) => {
			const { index, value } = parseField(label, given, parse);
			to.budget.spend(1);
			to.felts.push(BigInt(index));
			variants[index]?.type.encode(value, `${label}.${keys[index]}`, to);
		},
	};
}

interface GivenVariant {
	readonly index: number;
	readonly value: unknown;
}

function parseVariant(keys: readonly string[], raw: unknown, wanted: string): GivenVariant {
	const given = typeof raw === 'string' && keys.includes(raw) ? { [raw]: null } : parseIfJson(raw);
	const [entry, ...others] = isRecord(given) ? Object.entries(given) : [];
	const index = entry ? keys.indexOf(entry[0]) : -1;
	return entry && index >= 0 && others.length === 0
		? { index, value: entry[1] }
		: raise(new InvalidValue(wanted));
}

/**
 * Builds the codec of an option. A value is the item or null. If the item itself can be null, it is wrapped as `{
 * "Some": item }`.
 */
export function buildOptionCodec(name: string, item: CairoCodec): CairoCodec {
	const isWrapped = item.isNullable === true;
	const some = { name: 'Some', key: 'Some', type: item };
	return {
		name,
		form: 'composed',
		leastFelts: 1,
		isNullable: true,
		decode: (data) => {
			const index = data.take();
			if (index > 1n) throw new DecodingError(`${name} has no variant ${index}`);
			if (index === 1n) return null;
			const value = decodePart(item, data);
			return isWrapped ? { [some.key]: value } : value;
		},
		encode: (given, label, to) => {
			to.budget.spend(1);
			const isNone = given === null || given === undefined;
			to.felts.push(isNone ? 1n : 0n);
			if (isNone) return;
			const value = isWrapped
				? parseField(label, given, (raw) => parseVariant(['Some'], raw, 'null or { "Some": … }'))
						.value
				: given;
			item.encode(value, label, to);
		},
	};
}

/** Builds a codec that is the same as the item's codec, but refuses 0. */
export function buildNonZeroCodec(name: string, item: CairoCodec): CairoCodec {
	return {
		...item,
		name,
		decode: (data) => {
			const value = item.decode(data);
			if (isZero(value)) throw new DecodingError(`a ${name} is 0`);
			return value;
		},
		encode: (given, label, to) => {
			const before = to.felts.length;
			item.encode(given, label, to);
			const isNothing = to.felts.slice(before).every((felt) => felt === 0n);
			parseField(label, given, () => isNothing && raise(new InvalidValue('a number other than 0')));
		},
	};
}

function isZero(value: unknown): boolean {
	return typeof value === 'number'
		? value === 0
		: typeof value === 'string' && BigInt(value) === 0n;
}
