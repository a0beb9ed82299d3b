import type { Field } from '../core/operation/field';
import { parseMethodPath } from '../core/operation/path';

/** Selects the HTTP method of a custom API request. An API with more HTTP methods has a list of its own. */
export const httpMethod = {
	displayName: 'HTTP Method',
	name: 'httpMethod',
	type: 'options',
	default: 'GET',
	noDataExpression: true,
	description: 'The HTTP method that the documentation of the API gives',
	options: [
		{
			name: 'GET',
			value: 'GET',
			description: 'The request only reads, so it is sent again if its answer is lost',
		},
		{
			name: 'POST',
			value: 'POST',
			description: 'The request is not sent again if its answer is lost',
		},
	],
} as const satisfies Field;

/** The path of a custom API request. Each API adds a description and the base path. */
export const methodPath = {
	displayName: 'Path',
	name: 'path',
	type: 'string',
	required: true,
	default: '',
	parse: parseMethodPath,
} as const satisfies Field;
