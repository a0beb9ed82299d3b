import { json } from '../values/json';
import { isBlank, isRecord, mustBe, readAs } from '../values/read';
import type { Budget } from './budget';
import { byteCount, countAt, numberAt, numberWord, toWords, WORD, type ChainData } from './data';
import { headWords, invalidAbi, type AbiType } from './elementary';

/** An input or output, or a component of a tuple. */
export interface Parameter {
	/** As declared; may be empty. */
	readonly name: string;
	/** The name, or `arg0`, `arg1`, … where it is missing, unsafe or doubled. */
	readonly key: string;
	readonly type: AbiType;
	readonly isIndexed: boolean;
}

export type Declared = Omit<Parameter, 'key'>;

/** Copies of an object may lose these keys. */
const UNSAFE = ['__proto__', 'constructor', 'prototype'];

export function keyed(declared: readonly Declared[]): readonly Parameter[] {
	const counts = new Map<string, number>();
	for (const { name } of declared) counts.set(name, (counts.get(name) ?? 0) + 1);
	const isUsable = ({ name }: Declared) => isName(name) && counts.get(name) === 1;
	const isKept = declared.every(isUsable)
		? () => true
		: (one: Declared) => isUsable(one) && !LIKE_A_PLACE.test(one.name);
	return declared.map((one, index) => ({ ...one, key: isKept(one) ? one.name : `arg${index}` }));
}

/** Beside an argument that goes by its place, it may be the key of that one. */
const LIKE_A_PLACE = /^arg\d+$/;

function isName(name: string): boolean {
	return /^[a-z_$][\w$]*$/i.test(name) && !UNSAFE.includes(name);
}

export function areNamed(parameters: readonly Parameter[]): boolean {
	return parameters.every(({ name, key }) => name === key);
}

export function byKey(
	parameters: readonly Parameter[],
	values: readonly unknown[],
): Record<string, unknown> {
	return Object.fromEntries(parameters.map(({ key }, index) => [key, values[index]]));
}

/** Structs of structs may double what they hold at each level. */
const MOST_CHARACTERS = 5_000;

/** `(address,uint256)` */
export function typeList(parameters: readonly Parameter[]): string {
	const names = parameters.map(({ type }) => type.name);
	const length = names.reduce((sum, name) => sum + name.length, 0);
	return length <= MOST_CHARACTERS
		? `(${names.join(',')})`
		: invalidAbi('a type in it is too large');
}

/** `address indexed owner` */
export function formattedParameter({ type, name, isIndexed }: Parameter): string {
	return [type.name, isIndexed ? 'indexed' : '', name].filter((word) => word !== '').join(' ');
}

/** Offsets count from `base`, where the list or tuple begins. */
function decodePart(type: AbiType, data: ChainData, at: number, base: number): unknown {
	return type.decode(data, type.words === 'dynamic' ? base + numberAt(data, at) : at);
}

export function decodeParameters(
	parameters: readonly Parameter[],
	data: ChainData,
	base: number,
): unknown[] {
	let at = base;
	return parameters.map(({ type }) => {
		const value = decodePart(type, data, at, base);
		at += headWords(type) * WORD;
		return value;
	});
}

/** A value to encode, not yet checked. */
interface Argument {
	readonly type: AbiType;
	readonly given: unknown;
	readonly label: string;
}

/** The heads of all, then the tails of the dynamic ones. */
export function encodeArguments(parts: readonly Argument[], budget: Budget): string {
	const heads: string[] = [];
	const tails: string[] = [];
	let offset = parts.reduce((words, { type }) => words + headWords(type), 0) * WORD;
	for (const { type, given, label } of parts) {
		const written = type.encode(given, label, budget);
		if (type.words !== 'dynamic') {
			heads.push(written);
			continue;
		}
		heads.push(numberWord(offset));
		tails.push(written);
		offset += byteCount(written);
	}
	return [...heads, ...tails].join('');
}

/** Values come as a list in order or an object by name, or as JSON text of either. */
export function argumentsOf(
	parameters: readonly Parameter[],
	given: unknown,
	label: string,
	within: (key: string) => string,
	budget: Budget,
): Argument[] {
	const values = readAs(label, given, (raw) => valuesOf(parameters, raw));
	budget.spend(values.length);
	return parameters.map(({ type, key }, index) => ({
		type,
		given: values[index],
		label: within(key),
	}));
}

function valuesOf(parameters: readonly Parameter[], raw: unknown): readonly unknown[] {
	const given = fromJson(raw);
	const keys = parameters.map(({ key }) => key);
	if (keys.length === 0)
		return isEmpty(given) ? [] : mustBe('empty: there are no arguments to give');
	const wanted = `a list of ${countOf(keys.length)}, or an object with ${keys.join(', ')}`;
	if (Array.isArray(given)) return given.length === keys.length ? given : mustBe(wanted);
	if (!isRecord(given)) return mustBe(wanted);
	const known = new Set(keys);
	const foreign = Object.keys(given).find((key) => !known.has(key));
	if (foreign !== undefined) return mustBe(`${wanted}: there is no '${foreign}'`);
	return keys.map((key) => (Object.hasOwn(given, key) ? given[key] : undefined));
}

/** Parses text that is not blank. */
export function fromJson(raw: unknown): unknown {
	return typeof raw === 'string' && !isBlank(raw.trim()) ? json(raw) : raw;
}

function isEmpty(given: unknown): boolean {
	return isBlank(given) || (typeof given === 'object' && Object.keys(given ?? {}).length === 0);
}

function countOf(values: number): string {
	return values === 1 ? '1 value' : `${values} values`;
}

/** More than any response holds. */
const MOST_WORDS = 1_000_000;

/** `item[]`, or `item[length]`. */
export function abiListOf(item: AbiType, length?: number): AbiType {
	const itemWords = headWords(item);
	const itemSize = itemWords * WORD;
	const words = length === undefined ? 'dynamic' : bounded(itemWords * length);
	const parts = (given: unknown, label: string, budget: Budget): Argument[] => {
		const items = readAs(label, given, (raw) => itemsOf(raw, length));
		budget.spend(items.length);
		return items.map((one, index) => ({ type: item, given: one, label: `${label}[${index}]` }));
	};
	return {
		name: `${item.name}[${length ?? ''}]`,
		form: 'list',
		words: item.words === 'dynamic' ? 'dynamic' : words,
		decode: (data, at) => {
			const base = length === undefined ? at + WORD : at;
			const count = length ?? countAt(data, at, itemSize);
			const items: unknown[] = [];
			for (let index = 0; index < count; index++) {
				items.push(decodePart(item, data, base + index * itemSize, base));
			}
			return items;
		},
		encode: (given, label, budget) => {
			const items = parts(given, label, budget);
			const count = length === undefined ? numberWord(items.length) : '';
			return count + encodeArguments(items, budget);
		},
		pack: (given, label, budget) => packArguments(parts(given, label, budget), budget),
		withParts: (change) => abiListOf(change(item), length),
	};
}

export function itemsOf(raw: unknown, length: number | undefined): readonly unknown[] {
	const given = fromJson(raw);
	const fits = Array.isArray(given) && (length === undefined || given.length === length);
	return fits ? given : mustBe(length === undefined ? 'a list' : `a list of length ${length}`);
}

/** Decodes to an object if all components are named, else to a list. */
export function abiTupleOf(parameters: readonly Parameter[]): AbiType {
	const types = parameters.map(({ type }) => type);
	const words = bounded(types.reduce((sum, type) => sum + headWords(type), 0));
	const isNamed = areNamed(parameters);
	const parts = (given: unknown, label: string, budget: Budget) =>
		argumentsOf(parameters, given, label, (key) => `${label}.${key}`, budget);
	return {
		name: typeList(parameters),
		form: 'tuple',
		words: types.some((type) => type.words === 'dynamic') ? 'dynamic' : words,
		decode: (data, at) => {
			const values = decodeParameters(parameters, data, at);
			return isNamed ? byKey(parameters, values) : values;
		},
		encode: (given, label, budget) => encodeArguments(parts(given, label, budget), budget),
		pack: (given, label, budget) => packArguments(parts(given, label, budget), budget),
		withParts: (change) =>
			abiTupleOf(parameters.map((one) => ({ ...one, type: change(one.type) }))),
	};
}

/** To be hashed: padded to whole words, without offsets or lengths. */
function packArguments(parts: readonly Argument[], budget: Budget): string {
	return parts
		.map(({ type, given, label }) => toWords((type.pack ?? type.encode)(given, label, budget)))
		.join('');
}

/** Items without words would allow any length. */
function bounded(words: number): number {
	if (words === 0) return invalidAbi('empty tuples and lists of length 0 do not exist');
	return words <= MOST_WORDS ? words : invalidAbi('a list or tuple in it is too large');
}
