import { readAs, unfit } from '../../../values/read';
import { countAt, WORD } from './chainData';
import { mistake } from './mistake';
import { areNamed, byKey, type Parameter } from './parameter';
import { fromJson, partsOf, readPart, readParts, writeParts, type AbiPart } from './parts';
import { placeWords, type AbiType } from './type';
import { numberWord, toWords } from './words';

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
	return fits ? given : unfit(length === undefined ? 'a list' : `a list of length ${length}`);
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
	if (words === 0) return mistake('empty tuples and lists of length 0 do not exist');
	return words <= MOST_WORDS ? words : mistake('a list or tuple in it is too large');
}
