import { mustBe, text, type Read } from '../values/read';
import type { Field } from './field';

/** Where an API lives below the node's address: a fixed place, or what the field 'Path' says. */
export type ApiPath = string | ChosenPath;

interface ChosenPath {
	readonly path: string;
	/** The other documented place, where it is tried once. A user who named a place of their own means that one. */
	readonly other?: string;
}

/** The documented places of a node's JSON-RPC; which of them a chain has it at differs. */
const ROOT_OR_EVM: ChosenPath = { path: '', other: '/evm' };
export const EVM_OR_ROOT: ChosenPath = { path: '/evm', other: '' };

/** An encoded dot or slash would lead out. */
const SEGMENTS = /^(\/([\w.~-]|%(?!2e|2f|5c)[0-9a-f]{2})+)+\/?$/i;

/** A path of plain segments, which cannot lead out of its place. `/` is the empty path. */
export const apiPath: Read<string> = (given) => {
	const value = text(given);
	if (value === '' || value === '/') return '';
	const isPlain = SEGMENTS.test(value) && !/\/\.+(\/|$)/.test(value);
	return isPlain ? value : mustBe('a path such as /evm, without a query or dots');
};

const DOCUMENTED_PATHS: Readonly<Record<string, ApiPath>> = {
	'': ROOT_OR_EVM,
	'/evm': EVM_OR_ROOT,
};

/**
 * The path of an API below the node's address: `/` is the address itself. The two documented ones stand in for each
 * other: the editor keeps the one that another operation begins with.
 */
export function path<const Usual extends '/' | '/evm'>(usual: Usual) {
	return {
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: usual,
		placeholder: 'e.g. /evm',
		description: "The path of the API below the node's address; / is the address itself",
		hint: 'Rarely needs changing: / and /evm stand in for each other',
		read: (given: unknown): ApiPath => {
			const chosen = apiPath(given);
			return DOCUMENTED_PATHS[chosen] ?? { path: chosen };
		},
	} as const satisfies Field;
}
