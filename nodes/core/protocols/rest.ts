import { isExecution, type NodeContext } from '../context';
import { RequestFailure } from '../errors/requestFailure';
import { getPlainCredential } from '../net/http/credential';
import { openHttpClient } from '../net/http/client';
import type { HttpClient, HttpMethod, HttpRequest, HttpResponse } from '../net/http/types';
import { openFormParts, upload, type Form, type FormPart } from '../net/http/multipart';
import { formatRequestLine } from '../net/http/networkErrors';
import type { Connect } from '../operation/client';
import { createOperationTyper } from '../operation/operation';
import { parseTransportOptions } from '../operation/transportOptions';
import { Pacer } from '../net/pacing/pacer';
import { parseResponse, statusError } from '../net/responses/response';
import { isLimit, rpcError } from '../net/responses/rpcErrors';
import { isRecord } from '../values/parse';

export interface RestRequest {
	/** The method; by default POST for a request with a body or a form, and otherwise GET. */
	readonly method?: HttpMethod;
	readonly path: string;
	readonly query?: HttpRequest['query'];
	readonly body?: object | string;
	readonly form?: Form;
	/** The answer to use for status 404. If it is missing, a 404 throws. */
	readonly whenMissing?: unknown;
	/** The answer to use for an empty response. If it is missing, an empty response throws. */
	readonly whenEmpty?: unknown;
	/** Whether the request may have an effect, so that it is carried out at most once. */
	readonly atMostOnce?: boolean;
	/**
	 * Whether a repeated request has no further effect, as for signed transactions. If a rate limit rejected it, it is
	 * sent again, even if the limit named no time.
	 */
	readonly countsOnce?: boolean;
}

export const restOperation = createOperationTyper<RestRequest>();

/** Creates the client for REST. Each call is one HTTP request, and several run at the same time. */
export function connectRest(
	credentialType: string,
	defaults: 'rest' | 'upload' = 'rest',
): Connect<RestRequest, NodeContext> {
	return async (context, stop) => {
		const credential = await getPlainCredential(context, credentialType);
		const options = parseTransportOptions(context, defaults, credential);
		const http = await openHttpClient(context, credentialType, { credential });
		const pacer = new Pacer(options, stop);
		return {
			parallelItems: options.concurrency * 2,
			redact: http.redact,
			isAtMostOnce: ({ atMostOnce = false }) => atMostOnce,
			call: async (request, { item, atMostOnce }) => {
				const signal = atMostOnce ? undefined : stop.signal;
				return await pacer.call(
					async () => {
						// Only an execution has files.
						const parts =
							request.form && isExecution(context)
								? await openFormParts(context, item, request.form)
								: undefined;
						const timed = { ...request, timeout: options.timeout, signal };
						return await pacer.throttle.run(1, async () => await sendRest(http, timed, parts));
					},
					atMostOnce,
					request.countsOnce,
				);
			},
		};
	};
}

/** Sends a request once. */
export async function sendRest(
	http: HttpClient,
	{
		method: given,
		path,
		query,
		body,
		timeout,
		signal,
		whenMissing,
		whenEmpty,
	}: RestRequest & RequestLimits,
	parts?: readonly FormPart[],
): Promise<unknown> {
	const method = given ?? (body === undefined && !parts ? 'GET' : 'POST');
	const request = { method, path, query, body, timeout, signal } as const;
	const answer = await (parts ? upload(http, request, parts) : http.send(request));
	if (answer.status === 404 && whenMissing !== undefined) return whenMissing;
	const isEmpty = isSuccess(answer) && answer.text.trim() === '';
	return isEmpty && whenEmpty !== undefined ? whenEmpty : parseAnswer(request, answer);
}

function isSuccess({ status }: HttpResponse): boolean {
	return status >= 200 && status < 300;
}

type RequestLimits = Pick<HttpRequest, 'timeout' | 'signal'>;

/** Parses an answer. Nodes of all APIs may report a rate limit as a JSON-RPC error with HTTP status 200. */
function parseAnswer(request: HttpRequest, answer: HttpResponse): unknown {
	if (!isSuccess(answer)) throw statusError(request, answer);
	const body = parseResponse(request, answer);
	const error = isRecord(body) ? (body.error ?? body) : undefined;
	const hasCode = isRecord(error) && typeof error.code === 'number';
	if (hasCode && isLimit(error)) throw rpcError(formatRequestLine(request), error);
	if (isRecord(body) && isBusy(body.Error)) throw busyError(request);
	return body;
}

/**
 * Recognizes the rate limit of a TRON node. The node reports it with HTTP status 200, and does not carry out the
 * request.
 */
function isBusy(error: unknown): boolean {
	return typeof error === 'string' && error.includes('lack of computing resources');
}

/** TRON nodes limit the requests per second, so the pause is one second. */
const BUSY_WAIT_MS = 1000;

function busyError(request: HttpRequest): RequestFailure {
	return new RequestFailure('The chain node has no computing resources left: it limits requests', {
		description: `${formatRequestLine(request)} was rejected, and not carried out.`,
		retry: { because: 'limit', after: BUSY_WAIT_MS },
	});
}
