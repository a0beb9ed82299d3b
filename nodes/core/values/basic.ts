import type { Read } from './read';
import { unfit } from './read';

/** Text as given, without surrounding white space. Numbers are taken as they are written. */
export const text: Read<string> = (given) => {
	if (given === undefined || given === null) return '';
	if (typeof given === 'string') return given.trim();
	if (typeof given === 'number' || typeof given === 'bigint') return String(given);
	return unfit('text');
};

export const boolean: Read<boolean> = (given) => {
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	return unfit('true or false');
};

export const number: Read<number> = (given) => {
	const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	return typeof value === 'number' && Number.isFinite(value) ? value : unfit('a number');
};

/** A whole number between two bounds, both included. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Read<number> {
	const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
	return (given) => {
		const value = typeof given === 'string' && /^\d+$/.test(given.trim()) ? Number(given) : given;
		const fits = Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
		return fits ? Number(value) : unfit(`a whole number, ${range}`);
	};
}

export function oneOf(values: readonly string[]): Read<string> {
	return (given) => values.find((value) => value === given) ?? unfit(`one of ${values.join(', ')}`);
}

export function manyOf(values: readonly string[]): Read<string[]> {
	const one = oneOf(values);
	return (given) => (Array.isArray(given) ? given.map(one) : unfit('a list'));
}

/** Where an API lives below the node's address: a fixed place, or what the field 'Path' says. */
export type ApiPath = string | ChosenPath;

export interface ChosenPath {
	readonly path: string;
	/** The other documented place, where it is tried once. A user who named a place of their own means that one. */
	readonly other?: string;
}

/** The documented places of a node's JSON-RPC; which of them a chain has it at differs. */
export const ROOT_OR_EVM: ChosenPath = { path: '', other: '/evm' };
export const EVM_OR_ROOT: ChosenPath = { path: '/evm', other: '' };

/** An encoded dot or slash would lead out. */
const SEGMENTS = /^(\/([\w.~-]|%(?!2e|2f|5c)[0-9a-f]{2})+)+\/?$/i;

/** A path of plain segments, which cannot lead out of its place. `/` is the empty path. */
export const apiPath: Read<string> = (given) => {
	const value = text(given);
	if (value === '' || value === '/') return '';
	const isPlain = SEGMENTS.test(value) && !/\/\.+(\/|$)/.test(value);
	return isPlain ? value : unfit('a path such as /evm, without a query or dots');
};
