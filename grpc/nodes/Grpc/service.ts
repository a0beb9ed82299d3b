import { formatErrorJson } from '../../../nodes/core';
import type { CallResult } from '../core/endpoint';
import { method, schemaFields, buildSchema, service } from '../core/fields';
import { grpc } from './client';
import { callOptions, grpcOptions, withDefaults } from './options';
import { requestParameters, buildRequestInput } from './request';

export const call = grpc({
	name: 'Call',
	action: 'Call gRPC method',
	description:
		'Call a method with one request or several, and get its response or the messages of its stream',
	fields: [...schemaFields, service, method, ...requestParameters, callOptions],
	async *run(p, context) {
		const answer = await context.call({
			ask: 'call',
			schema: buildSchema(p),
			service: p.service,
			method: p.method,
			requests: buildRequestInput(p),
			...withDefaults(p.options),
		});
		const { messages, broken, isCut } = answer as CallResult;
		if (isCut) context.addHint(CUT_HINT);
		yield* messages;
		// The error becomes the last item, so that the received messages are kept and the user sees that some are missing.
		if (broken) yield formatErrorJson(broken);
	},
});

const CUT_HINT = "The stream was closed after 'Max Messages', and may have had more.";

export const describe = grpc({
	name: 'Describe',
	action: 'Describe gRPC service',
	description: 'Get the methods of a service with the fields of their requests and responses',
	fields: [...schemaFields, service, grpcOptions],
	request: (p) => ({
		ask: 'describe',
		schema: buildSchema(p),
		service: p.service,
		...withDefaults(p.options),
	}),
	answer: (methods) => methods as readonly object[],
	items: (methods) => methods,
});

export const listServices = grpc({
	name: 'List Services',
	action: 'List gRPC services',
	description: 'Get the services that the endpoint offers',
	fields: [...schemaFields, grpcOptions],
	request: (p) => ({ ask: 'services', schema: buildSchema(p), ...withDefaults(p.options) }),
	answer: (names) => names as readonly string[],
	items: (names) => names.map((service) => ({ service })),
});
