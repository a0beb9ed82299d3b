import { toErrorJson, type Field } from '../../../nodes/core';
import type { CallResult } from '../core/endpoint';
import { anyJson, method, schemaFields, schemaOf, service } from '../core/fields';
import { grpc } from './client';
import { callOptions, options, settingsOf } from './options';

const HINT = "The operation 'Describe' shows the fields";

const requestsBy = {
	displayName: 'Send',
	name: 'requestsBy',
	type: 'options',
	default: 'one',
	noDataExpression: true,
	options: [
		{
			name: 'Many Requests',
			value: 'many',
			description: 'A list, for methods that take a stream of requests',
		},
		{ name: 'One Request', value: 'one' },
	],
} as const satisfies Field;

const request = {
	displayName: 'Request',
	name: 'request',
	type: 'json',
	default: '{}',
	description:
		'The fields of the request as JSON. Long integers may be numbers or text, bytes are base64 or hex after 0x, enums go by name.',
	hint: HINT,
	show: { requestsBy: ['one'] },
	read: anyJson,
} as const satisfies Field;

const requests = {
	displayName: 'Requests',
	name: 'requests',
	type: 'json',
	default: '[]',
	description:
		'The requests as a JSON array. They are sent in this order; then responses are read until the service ends the stream.',
	hint: HINT,
	show: { requestsBy: ['many'] },
	read: anyJson,
} as const satisfies Field;

export const call = grpc({
	name: 'Call',
	action: 'Call a gRPC method',
	description: 'Send requests to a method and get its response, or the messages of its stream',
	fields: [...schemaFields, service, method, requestsBy, request, requests, callOptions],
	request: (p) => ({
		ask: 'call',
		schema: schemaOf(p),
		service: p.service,
		method: p.method,
		requests:
			p.requestsBy === 'many' ? { by: 'many', json: p.requests } : { by: 'one', json: p.request },
		...settingsOf(p.options),
	}),
	answer: (answer) => answer as CallResult,
	// A last item with the error keeps the messages, and shows that they are not all.
	items: ({ messages, broken }) => (broken ? [...messages, toErrorJson(broken)] : messages),
});

export const describe = grpc({
	name: 'Describe',
	action: 'Describe a gRPC service',
	description: 'Get the methods of a service with the fields of their requests and responses',
	fields: [...schemaFields, service, options],
	request: (p) => ({
		ask: 'describe',
		schema: schemaOf(p),
		service: p.service,
		...settingsOf(p.options),
	}),
	answer: (methods) => methods as readonly object[],
	items: (methods) => methods,
});

export const listServices = grpc({
	name: 'List Services',
	action: 'List gRPC services',
	description: 'Get the services that the endpoint offers',
	fields: [...schemaFields, options],
	request: (p) => ({ ask: 'services', schema: schemaOf(p), ...settingsOf(p.options) }),
	answer: (names) => names as readonly string[],
	items: (names) => names.map((service) => ({ service })),
});
