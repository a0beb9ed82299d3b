import type { Field, Read } from '../../../nodes/core/field';
import { tryParseJson } from '../../../nodes/core/json';
import { isBlank, unfit } from '../../../nodes/core/refusal';
import { grpc } from './client';
import { callOptions, limits, method, service } from './fields';

/** Text keeps the digits of long integers: they become strings, as the JSON of a message allows. */
const message: Read<unknown> = (given) => {
	if (isBlank(typeof given === 'string' ? given.trim() : given)) return {};
	const value = tryParseJson(typeof given === 'string' ? given : JSON.stringify(given, faithful));
	return value === undefined || value === null || Array.isArray(value)
		? unfit('a JSON object')
		: value;
};

/**
 * The number of an expression has lost digits where it could be a long integer. Written with an exponent it is
 * refused for those, and still good for a double.
 */
function faithful(_key: string, value: unknown): unknown {
	if (typeof value === 'bigint') return String(value);
	const isLong =
		Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) < 2 ** 64;
	return isLong ? Number(value).toExponential() : value;
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
