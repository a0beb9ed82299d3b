import type { Field } from './field';
import { parseText, InvalidValue } from '../values/parse';
import { raise } from '../errors/raise';

/** An option for the prefix of the method names of STARK rollups. */
export const methodPrefix = {
	displayName: 'Method Prefix',
	name: 'methodPrefix',
	type: 'string',
	default: 'l2',
	placeholder: 'e.g. starknet',
	description:
		"The word before _ in the chain node's method names, if it is neither l2 nor starknet",
	parse: (given: unknown) => {
		const prefix = parseText(given);
		return /^[a-z][a-z0-9]*$/i.test(prefix)
			? prefix
			: raise(new InvalidValue('letters and digits, such as starknet'));
	},
} as const satisfies Field;
