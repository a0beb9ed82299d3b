import { openHttpClient } from '../http/client';
import type { HttpClient, HttpRequest, HttpResponse } from '../http/types';
import { formParts, upload, type Form, type FormPart } from '../http/multipart';
import { requestLine } from '../http/networkErrors';
import type { Connect } from '../operation/client';
import { operationOf } from '../operation/operation';
import { transportOptions } from '../operation/transportOptions';
import { Pacer } from '../pacing/pacer';
import { parseResponse, statusFailure } from '../responses/response';
import { isLimit, rpcFailure } from '../responses/rpcErrors';
import { isRecord } from '../values/read';

/** A request to an HTTP API: a GET, or a POST when it has a body or a form. */
export interface RestRequest {
	readonly path: string;
	readonly query?: HttpRequest['query'];
	readonly body?: object | string;
	readonly form?: Form;
	/** What a 404 stands for, where it is no failure. */
	readonly whenMissing?: unknown;
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
			call: async (request, { item, nonIdempotent }) => {
				const until = nonIdempotent ? undefined : stop.signal;
				return await pace.call(async () => {
					const parts = request.form && (await formParts(context, item, request.form));
					return await answered(http, { ...request, timeout: options.timeout, until }, parts);
				}, nonIdempotent);
			},
		};
	};
}

/** What the service answers to a request that is sent once. */
export async function answered(
	http: HttpClient,
	{ path, query, body, timeout, until, whenMissing }: RestRequest & Ends,
	parts?: readonly FormPart[],
): Promise<unknown> {
	const method = body === undefined && !parts ? 'GET' : 'POST';
	const request = { method, path, query, body, timeout, until } as const;
	const answer = await (parts ? upload(http, request, parts) : http.send(request));
	return answer.status === 404 && whenMissing !== undefined
		? whenMissing
		: answerOf(request, answer);
}

type Ends = Pick<HttpRequest, 'timeout' | 'until'>;

/** A node tells its limits on HTTP 200, in a JSON-RPC error with its code, whatever API was asked. */
function answerOf(request: HttpRequest, answer: HttpResponse): unknown {
	if (answer.status < 200 || answer.status >= 300) throw statusFailure(request, answer);
	const body = parseResponse(request, answer);
	const error = isRecord(body) ? (body.error ?? body) : undefined;
	const hasCode = isRecord(error) && typeof error.code === 'number';
	if (hasCode && isLimit(error)) throw rpcFailure(requestLine(request), error);
	return body;
}
