import { formatNames } from './excerpt';
import { parseJsonValue } from './json';
import { isBlank, isRecord, InvalidValue } from './parse';
import { raise } from '../errors/raise';

/** A parameter whose name anyone may have chosen, such as a parameter of a contract's function. */
interface Named {
	/** The name from the declaration, which may be empty. */
	readonly name: string;
}

/**
 * A parameter with the key of its value in an object. The key is the name, or `arg0`, `arg1`, … if the name is
 * missing, unsafe or not unique.
 */
interface Keyed extends Named {
	readonly key: string;
}

/** Keys that may be lost when an object is copied. */
const UNSAFE_KEYS = ['__proto__', 'constructor', 'prototype'];

export function withKeys<T extends Named>(declared: readonly T[]): ReadonlyArray<T & Keyed> {
	const counts = new Map<string, number>();
	for (const { name } of declared) counts.set(name, (counts.get(name) ?? 0) + 1);
	const isUsable = ({ name }: Named) => isSafeName(name) && counts.get(name) === 1;
	const keepsName = declared.every(isUsable)
		? () => true
		: (one: Named) => isUsable(one) && !POSITIONAL_KEY_PATTERN.test(one.name);
	return declared.map((one, index) => ({ ...one, key: keepsName(one) ? one.name : `arg${index}` }));
}

/** Names of this form could be equal to a key that was built from a position. */
const POSITIONAL_KEY_PATTERN = /^arg\d+$/;

function isSafeName(name: string): boolean {
	return /^[a-z_$][\w$]*$/i.test(name) && !UNSAFE_KEYS.includes(name);
}

export function areAllNamed(parameters: readonly Keyed[]): boolean {
	return parameters.every(({ name, key }) => name === key);
}

export function buildNamedValues(
	parameters: ReadonlyArray<Pick<Keyed, 'key'>>,
	values: readonly unknown[],
): Record<string, unknown> {
	return Object.fromEntries(parameters.map(({ key }, index) => [key, values[index]]));
}

/**
 * Parses values that are given as a list or as an object by name, also as JSON text. Returns the values in the order
 * of the parameters.
 */
export function parseNamedValues(
	parameters: ReadonlyArray<Pick<Keyed, 'key'>>,
	raw: unknown,
): readonly unknown[] {
	const given = parseIfJson(raw);
	const keys = parameters.map(({ key }) => key);
	if (keys.length === 0)
		return isEmpty(given) ? [] : raise(new InvalidValue('empty: there are no arguments to give'));
	const wanted = `a list of ${formatValueCount(keys.length)}, or an object with ${formatNames(keys)}`;
	if (Array.isArray(given))
		return given.length === keys.length ? given : raise(new InvalidValue(wanted));
	if (!isRecord(given)) throw new InvalidValue(wanted);
	const known = new Set(keys);
	const foreign = Object.keys(given).find((key) => !known.has(key));
	if (foreign !== undefined) throw new InvalidValue(`${wanted}; '${foreign}' is not one of them`);
	return keys.map((key) => (Object.hasOwn(given, key) ? given[key] : undefined));
}

/** Parses JSON if the value is text that is not blank; other values are returned as they are. */
export function parseIfJson(raw: unknown): unknown {
	return typeof raw === 'string' && !isBlank(raw.trim()) ? parseJsonValue(raw) : raw;
}

function isEmpty(given: unknown): boolean {
	return isBlank(given) || (typeof given === 'object' && Object.keys(given ?? {}).length === 0);
}

function formatValueCount(values: number): string {
	return values === 1 ? '1 value' : `${values} values`;
}

export function parseListItems(raw: unknown, length: number | undefined): readonly unknown[] {
	const given = parseIfJson(raw);
	const fits = Array.isArray(given) && (length === undefined || given.length === length);
	return fits
		? given
		: raise(new InvalidValue(length === undefined ? 'a list' : `a list of length ${length}`));
}
