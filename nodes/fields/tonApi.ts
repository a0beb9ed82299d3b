import type { Field } from '../core/operation/field';
import { restOptions } from '../core/operation/transportOptions';
import { throwIfRefused } from '../core/ton/reader';
import { restOperation } from '../core/protocols/rest';
import { parseJsonText } from '../core/values/json';
import { isBlank } from '../core/values/parse';
import { httpMethod, methodPath } from './apiFields';
import { queryField } from './queryField';

const path = {
	...methodPath,
	placeholder: 'e.g. masterchainInfo',
	description: 'The path of the API method without /api/v3, such as masterchainInfo',
} as const satisfies Field;

const body = {
	displayName: 'Body',
	name: 'body',
	type: 'json',
	default: '{}',
	description: 'The body of the request as JSON, sent exactly as you write it',
	show: { httpMethod: ['POST'] },
	parse: (given: unknown) => (isBlank(given) ? '{}' : parseJsonText(given)),
} as const satisfies Field;

const query = {
	...queryField,
	hint: 'e.g. { "address": "UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OV" }',
} as const satisfies Field;

const request = restOperation({
	name: 'Request',
	action: 'Call any method of TON API',
	description: 'Call a method that has no operation of its own, by its path',
	fields: [httpMethod, path, query, body, restOptions()],
	request: (p) => ({
		path: `/api/v3${p.path}${p.query && `?${p.query}`}`,
		body: p.body,
		atMostOnce: p.httpMethod === 'POST',
	}),
	answer: throwIfRefused,
});

/** The resource for custom API requests, which every TON node has. */
export const tonApi = { name: 'API', operations: { request } };
