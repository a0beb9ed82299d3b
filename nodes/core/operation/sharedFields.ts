import type { Field } from './field';
import { apiPath, EVM_OR_ROOT, ROOT_OR_EVM, wholeNumber, type ApiPath } from '../values/basic';

/** How a node of a chain is reached; it picks the credential. */
export const authentication = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	default: 'token',
	noDataExpression: true,
	options: [
		{ name: 'Basic Auth', value: 'basicAuth' },
		{ name: 'Token', value: 'token' },
	],
} as const satisfies Field;

export const returnAll = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
} as const satisfies Field;

/** Undefined, and so no limit, when all are returned. */
export const limit = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	show: { returnAll: [false] },
	read: wholeNumber(1),
} as const satisfies Field;

export const simplify = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
} as const satisfies Field;

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
