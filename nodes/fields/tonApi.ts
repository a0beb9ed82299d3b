import type { Field } from '../core/operation/field';
import { parseMethodPath } from '../core/operation/path';
import { restOptions } from '../core/operation/transportOptions';
import { throwIfRefused } from '../core/ton/service';
import { rest } from '../core/transport/rest/rest';
import { parseJsonText } from '../core/values/json';
import { isBlank } from '../core/values/parse';
import { queryField } from './queryField';

const httpMethod = {
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

const path = {
	displayName: 'Path',
	name: 'path',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. masterchainInfo',
	description: 'The path of the method below /api/v3',
	parse: parseMethodPath,
} as const satisfies Field;

const body = {
	displayName: 'Body',
	name: 'body',
	type: 'json',
	default: '{}',
	description: 'The body as JSON, sent as it is written',
	show: { httpMethod: ['POST'] },
	parse: (given: unknown) => (isBlank(given) ? '{}' : parseJsonText(given)),
} as const satisfies Field;

const query = {
	...queryField,
	placeholder: 'e.g. {"account": "EQ…", "limit": 10}',
} as const satisfies Field;

const request = rest({
	name: 'Request',
	action: 'Call any method of the TON API',
	description: 'Call a method that has no operation of its own, by its path',
	fields: [httpMethod, path, query, body, restOptions()],
	request: (p) => ({
		path: `/api/v3${p.path}${p.query && `?${p.query}`}`,
		body: p.body,
		atMostOnce: p.httpMethod === 'POST',
	}),
	answer: throwIfRefused,
});

/** The same on each node of these chains. */
export const tonApi = { name: 'API', operations: { request } };
