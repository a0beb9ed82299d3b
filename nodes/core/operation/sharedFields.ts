import { raise } from '../errors/raise';
import { parseUint256 } from '../values/numbers';
import { InvalidValue, wholeNumberParser } from '../values/parse';
import type { Field, Show } from './field';

/** Chooses the credential. */
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

/** The field Limit. While Return All is on, Limit is hidden and its value is undefined. */
export const limit = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	show: { returnAll: [false] },
	parse: wholeNumberParser(1),
} as const satisfies Field;

export const simplify = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
} as const satisfies Field;

/** Contracts return the number of decimals as a uint8. */
const MAX_DECIMALS = 255;

/**
 * An option for the number of decimals that a token must have. An empty value throws, so that an expression without a
 * result does not switch the check off.
 */
export const expectDecimals = {
	displayName: 'Expect Decimals',
	name: 'expectDecimals',
	type: 'string',
	default: '',
	placeholder: 'e.g. 6',
	description: 'The number of decimals that the token must have. Otherwise nothing is paid.',
	parse: (given: unknown) => {
		const decimals = parseUint256(given);
		return decimals <= MAX_DECIMALS
			? Number(decimals)
			: raise(new InvalidValue(`a whole number, 0 to ${MAX_DECIMALS}`));
	},
} as const satisfies Field;

/** The field for the longest time to wait for an event on a chain. */
export const waitFor = {
	displayName: 'Wait For',
	name: 'waitFor',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 300,
	description: 'How many seconds to wait at most. After that, the item fails.',
	hint: 'In seconds',
	parse: wholeNumberParser(0, 604_800),
} as const satisfies Field;

/** Shows the fields only while other fields have the values in `shown`. */
export function showWhile<const Shown extends Show, const Fields extends readonly Field[]>(
	show: Shown,
	fields: Fields,
) {
	return fields.map((field) => ({ ...field, show: { ...show, ...field.show } })) as unknown as {
		readonly [Index in keyof Fields]: Fields[Index] & { readonly show: Shown };
	};
}
