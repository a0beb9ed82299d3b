import type { Field } from '../core/operation/field';
import { restOptions } from '../core/operation/transportOptions';
import { restOperation } from '../core/protocols/rest';
import { parseJsonText } from '../core/values/json';
import { optionalParser } from '../core/values/numbers';
import { httpMethod as usualHttpMethod, methodPath } from '../fields/apiFields';
import { queryField } from '../fields/queryField';

const httpMethod = {
	...usualHttpMethod,
	options: [
		{
			name: 'DELETE',
			value: 'DELETE',
			description: 'The request is not sent again if its answer is lost',
		},
		{
			name: 'GET',
			value: 'GET',
			description: 'The request only reads, so it is sent again if its answer is lost',
		},
		{
			name: 'PATCH',
			value: 'PATCH',
			description: 'The request is not sent again if its answer is lost',
		},
		{
			name: 'POST',
			value: 'POST',
			description: 'The request is not sent again if its answer is lost',
		},
		{
			name: 'PUT',
			value: 'PUT',
			description: 'The request is not sent again if its answer is lost',
		},
	],
} as const satisfies Field;

const path = {
	...methodPath,
	placeholder: 'e.g. /v1/projects/',
	description: 'The path of the API method. The credential gives the address before the path.',
} as const satisfies Field;

const query = {
	...queryField,
	hint: 'e.g. { "page": 2 }',
} as const satisfies Field;

const parseBody = optionalParser(parseJsonText);

const body = {
	displayName: 'Body',
	name: 'body',
	type: 'json',
	default: '{}',
	description: 'The body of the request as JSON, sent exactly as you write it. Empty for no body.',
	show: { httpMethod: ['PATCH', 'POST', 'PUT'] },
	parse: parseBody,
} as const satisfies Field;

/**
 * For a DELETE, {} also means no body: many servers refuse a body, and n8n's JSON editor cannot be empty at first.
 */
const deletionBody = {
	...body,
	description:
		'The body of the request as JSON, sent exactly as you write it. Empty or {} for no body.',
	show: { httpMethod: ['DELETE'] },
	parse: (given) => {
		const text = parseBody(given);
		return text === '{}' ? undefined : text;
	},
} as const satisfies Field;

const request = restOperation({
	name: 'Request',
	action: 'Call any platform method',
	description: 'Call a method for which this node has no operation, by its path',
	fields: [httpMethod, path, query, body, deletionBody, restOptions()],
	request: (p) => ({
		method: p.httpMethod,
		path: p.query ? `${p.path}?${p.query}` : p.path,
		body: p.body,
		atMostOnce: p.httpMethod !== 'GET',
		whenEmpty: {},
	}),
	answer: (body: unknown) => body,
	items: (answer) => (Array.isArray(answer) ? (answer as unknown[]) : [answer]),
});

export const api = { name: 'API', operations: { request } };
