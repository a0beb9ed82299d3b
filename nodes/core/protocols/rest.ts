import { parseAnswer, statusFailure } from '../answers/answer';
import type { Connect } from './client';
import { openHttpClient } from '../http/httpClient';
import { type HttpClient, type HttpAnswer, type HttpRequest } from '../http/types';
import { isRecord } from '../values/parseJson';
import { multipart, type Form, type MultipartForm } from '../http/multipart';
import { operationOf } from '../operation/operation';
import { transportOptions } from './transportOptions';
import { Pacer } from '../pacing/pacer';
import { isLimit, rpcFailure } from '../answers/rpcErrors';
import { unlessSilent } from '../http/upload';
import { requestLine } from '../http/networkErrors';

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
	return async (context, stop) => {
		const options = transportOptions(context, usual);
		const http = await openHttpClient(context, credentialType);
		const pace = new Pacer(options, stop);
		return {
			width: options.concurrency * 2,
			redact: http.redact,
			send: async (request, { item, once }) =>
				await pace.call(async () => {
					const form = request.form && (await multipart(context, item, request.form));
					return await answered(http, request, form, options.timeout);
				}, once),
		};
	};
}

async function answered(
	http: HttpClient,
	{ path, query, body }: RestRequest,
	form: MultipartForm | undefined,
	timeout: number,
): Promise<unknown> {
	if (form) {
		const request = { method: 'POST', path, query, body: form, timeout: 0 } as const;
		return answerOf(request, await unlessSilent(http.send(request), form, request, timeout));
	}
	const method = body === undefined ? 'GET' : 'POST';
	const request = { method, path, query, body, timeout } as const;
	return answerOf(request, await http.send(request));
}

/** A node tells its limits on HTTP 200, in a JSON-RPC error with its code, whatever API was asked. */
function answerOf(request: HttpRequest, answer: HttpAnswer): unknown {
	if (answer.status < 200 || answer.status >= 300) throw statusFailure(request, answer);
	const body = parseAnswer(request, answer);
	const error = isRecord(body) ? (body.error ?? body) : undefined;
	const hasCode = isRecord(error) && typeof error.code === 'number';
	if (hasCode && isLimit(error)) throw rpcFailure(requestLine(request), error);
	return body;
}
