import type { Field } from '../../../nodes/core/operation/field';
import type { Read } from '../../../nodes/core/values/read';
import { isBlank, unfit } from '../../../nodes/core/values/read';
import { grpc } from './client';
import { exactJson } from './exactJson';
import { callOptions, limits, method, service } from './fields';

const message: Read<unknown> = (given) => {
	if (isBlank(typeof given === 'string' ? given.trim() : given)) return {};
	const value = read(given);
	return value === undefined || value === null || Array.isArray(value)
		? unfit('a JSON object')
		: value;
};

function read(given: unknown): unknown {
	try {
		return exactJson(given);
	} catch {
		return undefined;
	}
}

const request = {
	displayName: 'Request',
	name: 'request',
	type: 'json',
	default: '{}',
	description:
		'The fields of the request as JSON. Long integers may be numbers or text, bytes are base64, enums go by name.',
	hint: "The operation 'Describe' shows the fields",
	read: message,
} as const satisfies Field;

export const call = grpc({
	name: 'Call',
	action: 'Call a method',
	description: 'Send a request to a method and get its response, or the messages of its stream',
	fields: [service, method, request, callOptions],
	once: true,
	request: (p) => ({
		ask: 'call',
		service: p.service,
		method: p.method,
		request: p.request,
		...limits(p.options),
	}),
	answer: (messages) => messages as readonly unknown[],
	items: (messages) => messages,
});
