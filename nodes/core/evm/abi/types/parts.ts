import { isRecord } from '../../../values/parseJson';
import { isBlank, readAs, unfit } from '../../../values/read';
import { json } from '../../../values/json';
import { numberAt, WORD, type ChainData } from './chainData';
import type { Parameter } from './parameter';
import { placeWords, type AbiType } from './type';
import { byteCount, numberWord } from './words';

/** One part of a list or a tuple that begins at `base`: what stands in its place, or where that leads. */
export function readPart(type: AbiType, data: ChainData, at: number, base: number): unknown {
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

export interface AbiPart {
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
		return isEmpty(given) ? [] : unfit('empty: there are no arguments to give');
	const wanted = `a list of ${countOf(keys.length)}, or an object with ${keys.join(', ')}`;
	if (Array.isArray(given)) return given.length === keys.length ? given : unfit(wanted);
	if (!isRecord(given)) return unfit(wanted);
	const foreign = Object.keys(given).find((key) => !keys.includes(key));
	if (foreign !== undefined) return unfit(`${wanted}: there is no '${foreign}'`);
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
