import {
	byteCount,
	countAt,
	invalidAbi,
	numberAt,
	numberWord,
	toWords,
	WORD,
	type ChainData,
} from './data';
import { json } from '../values/json';
import { isRecord, isBlank, mustBe, readAs } from '../values/read';
import { placeWords, type AbiType } from './elementary';

/** An argument of a function, an event or an error, an output, or a part of a tuple. */
export interface Parameter {
	/** As it was declared; may be empty. */
	readonly name: string;
	/** Its name among the others: `arg` with its place where it has no good one. */
	readonly key: string;
	readonly type: AbiType;
	readonly isIndexed: boolean;
}

export type Declared = Omit<Parameter, 'key'>;

/** Names that a copy of an object may lose, or mistake for its class. */
const UNSAFE = ['__proto__', 'constructor', 'prototype'];

/** Gives each its key: its name, or its place where the name is not usable or not the only one. */
export function keyed(declared: readonly Declared[]): readonly Parameter[] {
	const counts = new Map<string, number>();
	for (const { name } of declared) counts.set(name, (counts.get(name) ?? 0) + 1);
	return declared.map((one, index) => {
		const place = `arg${index}`;
		const isGood = isName(one.name) && counts.get(one.name) === 1;
		return { ...one, key: isGood ? one.name : place };
	});
}

function isName(name: string): boolean {
	return /^[a-z_$][\w$]*$/i.test(name) && !/^arg\d+$/.test(name) && !UNSAFE.includes(name);
}

/** Whether each goes by the name that it was declared with. */
export function areNamed(parameters: readonly Parameter[]): boolean {
	return parameters.every(({ name, key }) => name === key);
}

export function byKey(
	parameters: readonly Parameter[],
	values: readonly unknown[],
): Record<string, unknown> {
	return Object.fromEntries(parameters.map(({ key }, index) => [key, values[index]]));
}

/** As it is declared: `address owner`. */
export function formattedParameter({ type, name, isIndexed }: Parameter): string {
	return [type.name, isIndexed ? 'indexed' : '', name].filter((word) => word !== '').join(' ');
}

/** One part of a list or a tuple that begins at `base`: what stands in its place, or where that leads. */
function readPart(type: AbiType, data: ChainData, at: number, base: number): unknown {
	return type.read(data, type.words === 'any' ? base + numberAt(data, at) : at);
}

export function readParts(
	parameters: readonly Parameter[],
	data: ChainData,
	base: number,
): unknown[] {
	let at = base;
	return parameters.map(({ type }) => {
		const value = readPart(type, data, at, base);
		at += placeWords(type) * WORD;
		return value;
	});
}

interface AbiPart {
	readonly type: AbiType;
	readonly given: unknown;
	readonly label: string;
}

/** The places of all parts, and behind them what stands elsewhere. */
export function writeParts(parts: readonly AbiPart[]): string {
	const places: string[] = [];
	const elsewhere: string[] = [];
	let offset = parts.reduce((words, { type }) => words + placeWords(type), 0) * WORD;
	for (const { type, given, label } of parts) {
		const written = type.write(given, label);
		if (type.words !== 'any') {
			places.push(written);
			continue;
		}
		places.push(numberWord(offset));
		elsewhere.push(written);
		offset += byteCount(written);
	}
	return [...places, ...elsewhere].join('');
}

/** Pairs each parameter with its value, from a list in order or an object by name. JSON text stands for either. */
export function partsOf(
	parameters: readonly Parameter[],
	given: unknown,
	label: string,
	within: (key: string) => string,
): AbiPart[] {
	const values = readAs(label, given, (raw) => valuesOf(parameters, raw));
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
	const foreign = Object.keys(given).find((key) => !keys.includes(key));
	if (foreign !== undefined) return mustBe(`${wanted}: there is no '${foreign}'`);
	return keys.map((key) => (Object.hasOwn(given, key) ? given[key] : undefined));
}

/** A list or an object may come as JSON text. */
export function fromJson(raw: unknown): unknown {
	return typeof raw === 'string' && !isBlank(raw.trim()) ? json(raw) : raw;
}

function isEmpty(given: unknown): boolean {
	return isBlank(given) || (typeof given === 'object' && Object.keys(given ?? {}).length === 0);
}

function countOf(values: number): string {
	return values === 1 ? '1 value' : `${values} values`;
}

/** More than an answer can hold. */
const MOST_WORDS = 1_000_000;

/** `item[]`, or `item[length]`. */
export function abiListOf(item: AbiType, length?: number): AbiType {
	const itemWords = placeWords(item);
	const itemSize = itemWords * WORD;
	const words = length === undefined ? 'any' : bounded(itemWords * length);
	const parts = (given: unknown, label: string): AbiPart[] =>
		readAs(label, given, (raw) => itemsOf(raw, length)).map((one, index) => ({
			type: item,
			given: one,
			label: `${label}[${index}]`,
		}));
	return {
		name: `${item.name}[${length ?? ''}]`,
		form: 'list',
		words: item.words === 'any' ? 'any' : words,
		read: (data, at) => {
			const base = length === undefined ? at + WORD : at;
			const count = length ?? countAt(data, at, itemSize);
			const items: unknown[] = [];
			for (let index = 0; index < count; index++) {
				items.push(readPart(item, data, base + index * itemSize, base));
			}
			return items;
		},
		write: (given, label) => {
			const items = parts(given, label);
			return (length === undefined ? numberWord(items.length) : '') + writeParts(items);
		},
		pack: (given, label) => packParts(parts(given, label)),
	};
}

function itemsOf(raw: unknown, length: number | undefined): readonly unknown[] {
	const given = fromJson(raw);
	const fits = Array.isArray(given) && (length === undefined || given.length === length);
	return fits ? given : mustBe(length === undefined ? 'a list' : `a list of length ${length}`);
}

/** Comes out as an object where all its parts are named, else as a list. */
export function abiTupleOf(parameters: readonly Parameter[]): AbiType {
	const types = parameters.map(({ type }) => type);
	const words = bounded(types.reduce((sum, type) => sum + placeWords(type), 0));
	const isNamed = areNamed(parameters);
	const parts = (given: unknown, label: string) =>
		partsOf(parameters, given, label, (key) => `${label}.${key}`);
	return {
		name: `(${types.map(({ name }) => name).join(',')})`,
		form: 'tuple',
		words: types.some((type) => type.words === 'any') ? 'any' : words,
		read: (data, at) => {
			const values = readParts(parameters, data, at);
			return isNamed ? byKey(parameters, values) : values;
		},
		write: (given, label) => writeParts(parts(given, label)),
		pack: (given, label) => packParts(parts(given, label)),
	};
}

/** Within a list or a tuple, everything that is hashed takes whole words. */
function packParts(parts: readonly AbiPart[]): string {
	return parts
		.map(({ type, given, label }) => toWords((type.pack ?? type.write)(given, label)))
		.join('');
}

/** A list whose items take no words could claim any length. */
function bounded(words: number): number {
	if (words === 0) return invalidAbi('empty tuples and lists of length 0 do not exist');
	return words <= MOST_WORDS ? words : invalidAbi('a list or tuple in it is too large');
}
