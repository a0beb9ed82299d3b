import { parseText, type Parse, InvalidValue } from '../values/parse';
import type { Field } from './field';
import { raise } from '../errors/raise';

/** The path of an API below the node's address: a fixed path, or the value of the field Path. */
export type ApiPath = string | ChosenPath;

interface ChosenPath {
	readonly path: string;
	/** The other documented path of the API, which is tried once. A path that the user entered has no alternative. */
	readonly other?: string;
}

/** The standard paths of JSON-RPC. Each chain serves JSON-RPC at one of them. */
const ROOT_OR_EVM: ChosenPath = { path: '', other: '/evm' };
export const EVM_OR_ROOT: ChosenPath = { path: '/evm', other: '' };

/** A path without percent-encoded dots or slashes, because they could lead out of the node's address. */
const PATH_PATTERN = /^(\/([\w.~-]|%(?!2e|2f|5c)[0-9a-f]{2})+)+\/?$/i;

/** No server takes longer paths, and matching one would overflow the stack. */
const MAX_PATH_CHARS = 4000;

/** Parses a path below the node's address. `/` means the empty path. */
export const parseApiPath: Parse<string> = (given) => {
	const value = parseText(given);
	if (value === '' || value === '/') return '';
	if (value.length > MAX_PATH_CHARS)
		throw new InvalidValue(`a path of at most ${MAX_PATH_CHARS} characters`);
	const isPlain = PATH_PATTERN.test(value) && !/\/\.+(\/|$)/.test(value);
	return isPlain ? value : raise(new InvalidValue('a path such as /evm, without a query or dots'));
};

/** Parses the path of a method, with or without a slash at the beginning. */
export const parseMethodPath: Parse<string> = (given) => {
	const value = parseText(given);
	const path = parseApiPath(value.startsWith('/') ? value : `/${value}`);
	return path || raise(new InvalidValue('the path of a method, without the address before it'));
};

const DOCUMENTED_PATHS: Readonly<Record<string, ApiPath>> = {
	'': ROOT_OR_EVM,
	'/evm': EVM_OR_ROOT,
};

interface PathWords {
	readonly placeholder: string;
	readonly description: string;
	readonly hint?: string;
}

const EVM_PATH_WORDS: PathWords = {
	placeholder: 'e.g. /evm',
	description: 'Rarely changed',
};

/**
 * Builds the field Path. If `/` does not work, `/evm` is tried, and the other way round, because the editor keeps the
 * default of the operation that was selected before.
 */
export function pathField<const Usual extends '/' | '/evm'>(
	usual: Usual,
	words: PathWords = EVM_PATH_WORDS,
) {
	return {
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: usual,
		...words,
		parse: (given: unknown): ApiPath => {
			const chosen = parseApiPath(given);
			return DOCUMENTED_PATHS[chosen] ?? { path: chosen };
		},
	} as const satisfies Field;
}
