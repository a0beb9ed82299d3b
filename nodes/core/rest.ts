import { parseAnswer, statusFailure } from './answer';
import type { Connect } from './client';
import { openDoor, type Door, type HttpAnswer, type HttpRequest } from './http';
import { isRecord } from './json';
import { multipart, type Form, type Multipart } from './multipart';
import { operationOf } from './operation';
import { transportOptions } from './options';
import { Pace } from './pace';
import { isLimit, rpcFailure } from './rpcFailure';
import { unlessSilent } from './silence';
import { place } from './transport';

/** A request to an HTTP API: a GET, or a POST when it has a body or a form. */
export interface RestRequest {
	readonly path: string;
	readonly query?: HttpRequest['query'];
	readonly body?: object | string;
	readonly form?: Form;
}

export const rest = operationOf<RestRequest>();

/** Requests one by one, several at a time. */
export function restClient(
	credentialType: string,
	usual: 'rest' | 'upload' = 'rest',
): Connect<RestRequest> {
	return async (context, halt) => {
		const options = transportOptions(context, usual);
		const door = await openDoor(context, credentialType);
		const pace = new Pace(options, halt);
		return {
			width: options.concurrency * 2,
			strike: door.strike,
			send: async (request, { item, once }) =>
				await pace.call(async () => {
					const form = request.form && (await multipart(context, item, request.form));
					return await answered(door, request, form, options.timeout);
				}, once),
		};
	};
}

async function answered(
	door: Door,
	{ path, query, body }: RestRequest,
	form: Multipart | undefined,
	timeout: number,
): Promise<unknown> {
	if (form) {
		const request = { method: 'POST', path, query, body: form, timeout: 0 } as const;
		return answerOf(request, await unlessSilent(door.send(request), form, request, timeout));
	}
	const method = body === undefined ? 'GET' : 'POST';
	const request = { method, path, query, body, timeout } as const;
	return answerOf(request, await door.send(request));
}

/** A node tells its limits on HTTP 200, in a JSON-RPC error with its code, whatever API was asked. */
function answerOf(request: HttpRequest, answer: HttpAnswer): unknown {
	if (answer.status < 200 || answer.status >= 300) throw statusFailure(request, answer);
	const body = parseAnswer(request, answer);
	const error = isRecord(body) ? (body.error ?? body) : undefined;
	const hasCode = isRecord(error) && typeof error.code === 'number';
	if (hasCode && isLimit(error)) throw rpcFailure(place(request), error);
	return body;
}
