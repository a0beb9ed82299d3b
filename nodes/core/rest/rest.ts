import { RequestFailure } from '../errors/requestFailure';
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

/** A GET, or a POST if it has a body or a form. */
export interface RestRequest {
	readonly path: string;
	readonly query?: HttpRequest['query'];
	readonly body?: object | string;
	readonly form?: Form;
	/** The answer that a 404 stands for; without it a 404 is a failure. */
	readonly whenMissing?: unknown;
	/** Nobody knows what it does: it is carried out at most once. */
	readonly isSentOnce?: boolean;
}

export const rest = operationOf<RestRequest>();

/** One HTTP request per call, several at a time. */
export function restClient(
	credentialType: string,
	defaults: 'rest' | 'upload' = 'rest',
): Connect<RestRequest> {
	return async (context, stop) => {
		const options = transportOptions(context, defaults);
		const http = await openHttpClient(context, credentialType);
		const pacer = new Pacer(options, stop);
		return {
			width: options.concurrency * 2,
			redact: http.redact,
			isNonIdempotent: ({ isSentOnce = false }) => isSentOnce,
			call: async (request, { item, nonIdempotent }) => {
				const until = nonIdempotent ? undefined : stop.signal;
				return await pacer.call(async () => {
					const parts = request.form && (await formParts(context, item, request.form));
					const timed = { ...request, timeout: options.timeout, until };
					return await pacer.throttle.run(1, async () => await sendRest(http, timed, parts));
				}, nonIdempotent);
			},
		};
	};
}

/** Sends a request once. */
export async function sendRest(
	http: HttpClient,
	{ path, query, body, timeout, until, whenMissing }: RestRequest & Ends,
	parts?: readonly FormPart[],
): Promise<unknown> {
	const method = body === undefined && !parts ? 'GET' : 'POST';
	const request = { method, path, query, body, timeout, until } as const;
	const answer = await (parts ? upload(http, request, parts) : http.send(request));
	return answer.status === 404 && whenMissing !== undefined
		? whenMissing
		: parseAnswer(request, answer);
}

type Ends = Pick<HttpRequest, 'timeout' | 'until'>;

/** Nodes report rate limits with HTTP 200 and a JSON-RPC error, whatever the API. */
function parseAnswer(request: HttpRequest, answer: HttpResponse): unknown {
	if (answer.status < 200 || answer.status >= 300) throw statusFailure(request, answer);
	const body = parseResponse(request, answer);
	const error = isRecord(body) ? (body.error ?? body) : undefined;
	const hasCode = isRecord(error) && typeof error.code === 'number';
	if (hasCode && isLimit(error)) throw rpcFailure(requestLine(request), error);
	if (isRecord(body) && isBusy(body.Error)) throw busy(request);
	return body;
}

/** A node of the witness chain that limits requests says so with HTTP 200, and does not carry them out. */
function isBusy(error: unknown): boolean {
	return typeof error === 'string' && error.includes('lack of computing resources');
}

/** Its limits are by the second. */
const BUSY_FOR = 1000;

function busy(request: HttpRequest): RequestFailure {
	return new RequestFailure('The node has no computing resources left: it limits requests', {
		description: `${requestLine(request)} was turned away, and not carried out.`,
		retry: { because: 'limit', after: BUSY_FOR },
	});
}
