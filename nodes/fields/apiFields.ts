import type { Field } from '../core/operation/field';
import { parseMethodPath } from '../core/operation/path';

/** How a method without an operation of its own is called. An API with more HTTP methods lists them itself. */
export const httpMethod = {
	displayName: 'HTTP Method',
	name: 'httpMethod',
	type: 'options',
	default: 'GET',
	noDataExpression: true,
	description: 'How the method is called',
	options: [
		{ name: 'GET', value: 'GET', description: 'For reading; repeated when its answer is lost' },
		{ name: 'POST', value: 'POST', description: 'Sent once' },
	],
} as const satisfies Field;

/** Each API adds the address below which the method is. */
export const methodPath = {
	displayName: 'Path',
	name: 'path',
	type: 'string',
	required: true,
	default: '',
	parse: parseMethodPath,
} as const satisfies Field;
