import { type Field, optionsField } from '../../../nodes/core';
import { anyJson, bytesAs, method, service } from '../core/fields';
import { schemaFields } from '../core/schema';

const requests = {
	displayName: 'Requests',
	name: 'requests',
	type: 'json',
	default: '[{}]',
	description:
		'What the stream is asked for, as a JSON array: one request, or several where the method takes a stream of them. They are sent in this order, and again whenever the stream is reopened.',
	hint: "The operation 'Describe' of Chain gRPC shows the fields",
	read: anyJson,
} as const satisfies Field;

export const fields = [
	...schemaFields,
	service,
	method,
	requests,
	optionsField([bytesAs] as const),
] as const;
