import { restOptions } from '../core/operation/transportOptions';
import type { Field } from '../core/operation/field';
import { restOperation } from '../core/protocols/rest';
import { parseJsonText } from '../core/values/json';
import { optionalParser } from '../core/values/numbers';
import { throwIfError } from '../core/witness/answers';
import { methodPath } from '../fields/apiFields';

const path = {
	...methodPath,
	placeholder: 'e.g. wallet/getnowblock',
	description: 'The path of the API method to call, without the address of the chain node',
} as const satisfies Field;

const body = {
	displayName: 'Body',
	name: 'body',
	type: 'json',
	default: '{}',
	description:
		'The parameters of the method as JSON, sent exactly as you write them. If empty, a GET request is sent, which is repeated when its answer is lost.',
	hint: 'e.g. { "num": 5 }',
	parse: optionalParser(parseJsonText),
} as const satisfies Field;

const request = restOperation({
	name: 'Request',
	action: 'Call any wallet API method',
	description: 'Call a method for which this node has no operation, by its path',
	fields: [path, body, restOptions()],
	request: (p) => ({ path: p.path, body: p.body, atMostOnce: p.body !== undefined }),
	answer: throwIfError,
});

export const api = { name: 'API', operations: { request } };
