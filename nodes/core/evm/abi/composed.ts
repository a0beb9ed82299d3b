import {
	areAllNamed,
	buildNamedValues,
	parseListItems,
	parseNamedValues,
} from '../../values/namedValues';
import { parseField } from '../../values/parse';
import type { Budget } from '../../values/budget';
import {
	countBytes,
	decodeCountAt,
	decodeNumberAt,
	encodeNumber,
	padToWords,
	WORD_BYTES,
	type AbiData,
} from './data';
import { countHeadWords, invalidAbiError, isElementaryType, type AbiCodec } from './elementary';
import { raise } from '../../errors/raise';

/** An input or output of a function, or a component of a tuple. */
export interface AbiParameter {
	/** The name as declared, which may be empty. */
	readonly name: string;
	/** The name, or `arg0`, `arg1` and so on if the name is missing, unsafe or used twice. */
	readonly key: string;
	readonly type: AbiCodec;
	readonly isIndexed: boolean;
}

export type DeclaredParameter = Omit<AbiParameter, 'key'>;

/** Limits the length of a list of types, because nested structs may double the length of a type at each level. */
const MAX_TYPE_LIST_CHARS = 5_000;

/** `(address,uint256)` */
export function formatTypeList(parameters: readonly AbiParameter[]): string {
	const names = parameters.map(({ type }) => type.name);
	const length = names.reduce((sum, name) => sum + name.length, 0);
	return length <= MAX_TYPE_LIST_CHARS
		? `(${names.join(',')})`
		: raise(invalidAbiError('a type in it is too large'));
}

/** `address indexed owner` */
export function formatAbiParameter({ type, isIndexed, ...named }: AbiParameter): string {
	const words = [type.name, isIndexed ? 'indexed' : '', getDeclarableName(named)];
	return words.filter((word) => word !== '').join(' ');
}

/**
 * Returns the name of a parameter, or an empty text if the name would not be parsed as a name. A JSON ABI may contain any
 * text.
 */
function getDeclarableName({ name }: Pick<AbiParameter, 'name'>): string {
	return /^[a-z_$][\w$]*$/i.test(name) && !isElementaryType(name) ? name : '';
}

/** Declares parameters in the form `(address to, (uint256 amount, bool isPaid)[] parts)`. */
export function declareParameters(parameters: readonly AbiParameter[]): string {
	const declared = parameters.map(({ type, ...named }) =>
		`${declareType(type)} ${getDeclarableName(named)}`.trimEnd(),
	);
	return `(${declared.join(', ')})`;
}

function declareType(type: AbiCodec): string {
	return type.declare?.() ?? type.name;
}

/** Decodes one part of a list or tuple. Offsets count from `base`, where the list or tuple begins. */
function decodePart(type: AbiCodec, data: AbiData, at: number, base: number): unknown {
	return type.decode(data, type.words === 'dynamic' ? base + decodeNumberAt(data, at) : at);
}

export function decodeParameters(
	parameters: readonly AbiParameter[],
	data: AbiData,
	base: number,
): unknown[] {
	let at = base;
	return parameters.map(({ type }) => {
		const value = decodePart(type, data, at, base);
		at += countHeadWords(type) * WORD_BYTES;
		return value;
	});
}

/** An argument that is not yet checked and encoded. */
interface Argument {
	readonly type: AbiCodec;
	readonly given: unknown;
	readonly label: string;
}

/**
 * Encodes the heads of all arguments, and behind them the tails. A head is the value itself, or the offset of a tail
 * that contains a dynamic value.
 */
export function encodeArguments(parts: readonly Argument[], budget: Budget): string {
	const heads: string[] = [];
	const tails: string[] = [];
	let offset = parts.reduce((words, { type }) => words + countHeadWords(type), 0) * WORD_BYTES;
	for (const { type, given, label } of parts) {
		const written = type.encode(given, label, budget);
		if (type.words !== 'dynamic') {
			heads.push(written);
			continue;
		}
		heads.push(encodeNumber(offset));
		tails.push(written);
		offset += countBytes(written);
	}
	return [...heads, ...tails].join('');
}

/** Accepts values as a list, as an object with a key for each name, or as JSON text of a list or object. */
export function parseArguments(
	parameters: readonly AbiParameter[],
	given: unknown,
	label: string,
	within: (key: string) => string,
	budget: Budget,
): Argument[] {
	const values = parseField(label, given, (raw) => parseNamedValues(parameters, raw));
	budget.spend(values.length);
	return parameters.map(({ type, key }, index) => ({
		type,
		given: values[index],
		label: within(key),
	}));
}

/** More than any response contains. */
const MAX_TYPE_WORDS = 1_000_000;

/** Codec of `item[]`, or `item[length]`. */
export function buildListCodec(item: AbiCodec, length?: number): AbiCodec {
	const itemWords = countHeadWords(item);
	const itemSize = itemWords * WORD_BYTES;
	const words = length === undefined ? 'dynamic' : throwIfUnbounded(itemWords * length);
	const parts = (given: unknown, label: string, budget: Budget): Argument[] => {
		const items = parseField(label, given, (raw) => parseListItems(raw, length));
		budget.spend(items.length);
		return items.map((one, index) => ({ type: item, given: one, label: `${label}[${index}]` }));
	};
	return {
		name: `${item.name}[${length ?? ''}]`,
		form: 'list',
		words: item.words === 'dynamic' ? 'dynamic' : words,
		decode: (data, at) => {
			const base = length === undefined ? at + WORD_BYTES : at;
			const count = length ?? decodeCountAt(data, at, itemSize);
			const items: unknown[] = [];
			for (let index = 0; index < count; index++) {
				items.push(decodePart(item, data, base + index * itemSize, base));
			}
			return items;
		},
		encode: (given, label, budget) => {
			const items = parts(given, label, budget);
			const count = length === undefined ? encodeNumber(items.length) : '';
			return count + encodeArguments(items, budget);
		},
		pack: (given, label, budget) => packArguments(parts(given, label, budget), budget),
		declare: () => `${declareType(item)}[${length ?? ''}]`,
		withParts: (change) => buildListCodec(change(item), length),
	};
}

/** Builds the codec of a tuple. It decodes to an object if all components are named, otherwise to a list. */
export function buildTupleCodec(parameters: readonly AbiParameter[]): AbiCodec {
	const types = parameters.map(({ type }) => type);
	const words = throwIfUnbounded(types.reduce((sum, type) => sum + countHeadWords(type), 0));
	const isNamed = areAllNamed(parameters);
	const parts = (given: unknown, label: string, budget: Budget) =>
		parseArguments(parameters, given, label, (key) => `${label}.${key}`, budget);
	return {
		name: formatTypeList(parameters),
		form: 'tuple',
		words: types.some((type) => type.words === 'dynamic') ? 'dynamic' : words,
		decode: (data, at) => {
			const values = decodeParameters(parameters, data, at);
			return isNamed ? buildNamedValues(parameters, values) : values;
		},
		encode: (given, label, budget) => encodeArguments(parts(given, label, budget), budget),
		pack: (given, label, budget) => packArguments(parts(given, label, budget), budget),
		declare: () => declareParameters(parameters),
		withParts: (change) =>
			buildTupleCodec(parameters.map((one) => ({ ...one, type: change(one.type) }))),
	};
}

/** Encodes a list or tuple in the form that is hashed: values are padded to whole words, without offsets or lengths. */
function packArguments(parts: readonly Argument[], budget: Budget): string {
	return parts
		.map(({ type, given, label }) => padToWords((type.pack ?? type.encode)(given, label, budget)))
		.join('');
}

/** Refuses a type that is too large. Refuses a type without words too, because a list of it could have any length. */
function throwIfUnbounded(words: number): number {
	if (words === 0) throw invalidAbiError('empty tuples and lists of length 0 do not exist');
	return words <= MAX_TYPE_WORDS
		? words
		: raise(invalidAbiError('a list or tuple in it is too large'));
}
