import { RequestFailure, withAdvice } from '../../errors/requestFailure';
import type { HttpClient, HttpRequest, HttpResponse } from '../../net/http/types';
import type { ApiPath } from '../../operation/path';
import { hasRetryTime } from '../../net/pacing/retry';
import type { Throttle } from '../../net/pacing/throttle';
import { parseResponse, statusError } from '../../net/responses/response';
import { isLimit, rpcError } from '../../net/responses/rpcErrors';
import { formatExcerpt } from '../../values/excerpt';
import { isRecord, rethrow } from '../../values/parse';
import type { RpcRequest } from './request';

/** Sends calls to the same path in one HTTP request, and returns the outcome of each call. */
export type Exchange = (calls: Calls) => Promise<ExchangeResult>;

export type Calls = readonly [RpcRequest, ...RpcRequest[]];

export type ExchangeResult = readonly CallOutcome[] | FailedExchange;

/** The outcome of a call. `unresolved`: other calls of the batch were answered, but this call has no reliable reply. */
export type CallOutcome =
	| { readonly result: unknown }
	| { readonly failure: RequestFailure }
	| { readonly unresolved: RequestFailure };

/** The outcome of a request that failed as a whole, so that no call has its own outcome. */
export interface FailedExchange {
	readonly requestFailure: RequestFailure;
	/** Whether the server refuses all batches, or batches of this size. No call has been carried out then. */
	readonly batchRejected: boolean;
}

/**
 * Creates a function that sends calls. `signal` aborts its requests. Without a signal, each request runs to its end,
 * so that its outcome is known.
 */
export function createExchange(
	http: HttpClient,
	paths: ApiPaths,
	timeout: number,
	signal?: AbortSignal,
): Exchange {
	return async (calls) => {
		const { path } = calls[0];
		const result = await paths.send(
			path,
			async (at) => await sendCalls(http, at, calls, { timeout, signal }),
		);
		if (!('requestFailure' in result)) return result;
		return { ...result, requestFailure: withPathAdvice(result.requestFailure, path) };
	};
}

/**
 * Applies the limit of calls per second to each request. Each call of a batch counts, because the service counts
 * calls.
 */
export function withThrottle(http: HttpClient, throttle: Throttle): HttpClient {
	return {
		...http,
		send: async (request) => {
			const calls = Array.isArray(request.body) ? request.body.length : 1;
			return await throttle.run(calls, async () => await http.send(request));
		},
	};
}

/** Sends a single call, and returns its result. */
export async function sendCall(exchange: Exchange, call: RpcRequest): Promise<unknown> {
	const result = await exchange([call]);
	if ('requestFailure' in result) throw result.requestFailure;
	const [outcome] = result as readonly [CallOutcome];
	if ('result' in outcome) return outcome.result;
	throw 'failure' in outcome ? outcome.failure : outcome.unresolved;
}

/** Remembers during a run which path of a node works for an API. */
export class ApiPaths {
	/** The working path for each given path. If no path works, it is the given path. */
	private readonly found = new Map<string, string>();

	/**
	 * Sends a request to a path. If no API answers there, the documented alternative is tried once, unless the user
	 * entered the path.
	 */
	async send(
		path: ApiPath,
		send: (path: string) => Promise<ExchangeResult>,
	): Promise<ExchangeResult> {
		if (typeof path === 'string') return await send(path);
		const known = this.found.get(path.path);
		const first = await send(known ?? path.path);
		const { other } = path;
		if (!isNotFound(first) || other === undefined || known !== undefined) return first;
		const second = await send(this.found.get(path.path) ?? other);
		const isThere = !isNotFound(second);
		this.found.set(path.path, isThere ? other : path.path);
		return isThere ? second : first;
	}
}

function isNotFound(result: ExchangeResult): boolean {
	return 'requestFailure' in result && isPathMissing(result.requestFailure);
}

/** Whether no API lives at the path. A node at the path would have answered with a JSON-RPC error. */
function isPathMissing({ httpCode }: RequestFailure): boolean {
	return httpCode === 404 || httpCode === 405;
}

function withPathAdvice(failure: RequestFailure, path: ApiPath): RequestFailure {
	if (typeof path === 'string' || !isPathMissing(failure)) return failure;
	const tried = [path.path, path.other].filter((one) => one !== undefined).map((one) => one || '/');
	return withAdvice(
		failure,
		`Nothing answers at ${tried.join(' or at ')}: set 'Path' to where the API of this chain lives.`,
	);
}

/**
 * Sends calls to a path; several calls are sent as a batch. A RequestFailure is returned, and other errors are
 * thrown.
 */
export async function sendCalls(
	http: HttpClient,
	path: string,
	calls: Calls,
	ends: Pick<HttpRequest, 'timeout' | 'signal'>,
): Promise<ExchangeResult> {
	const [first] = calls;
	const isSingle = calls.length === 1;
	const body = isSingle ? buildEnvelope(first, first.id ?? 1) : calls.map(buildBatchEntry);
	const request: HttpRequest = { method: 'POST', path, body, ...ends };
	try {
		const response = parseRpcBody(request, await http.send(request));
		return isSingle ? [getSingleOutcome(first, response)] : getBatchOutcomes(calls, response);
	} catch (error) {
		if (!(error instanceof RequestFailure)) rethrow(error);
		return { requestFailure: error, batchRejected: isBatchRejected(error.httpCode) };
	}
}

/**
 * Whether the status means that the server refuses batches. Some statuses have other causes: 404 a wrong path, 429 a
 * rate limit, and 401 a wrong secret.
 */
function isBatchRejected(status = 0): boolean {
	return status >= 400 && status < 500 && ![401, 404, 429].includes(status);
}

function buildEnvelope({ method, params }: RpcRequest, id: number) {
	return { jsonrpc: '2.0', method, params, id };
}

function buildBatchEntry(call: RpcRequest, index: number) {
	return buildEnvelope(call, index + 1);
}

/**
 * Parses the JSON-RPC body of a response. With an error status, the JSON-RPC error in the body is used, because it
 * says more. Status 401, 403 and statuses that allow a retry throw.
 */
function parseRpcBody(request: HttpRequest, response: HttpResponse): unknown {
	if (response.status >= 200 && response.status < 300) return parseResponse(request, response);
	const failure = statusError(request, response);
	const body = failure.answer;
	const isRpcError = isRecord(body) && isRecord(body.error) && typeof body.error.code === 'number';
	if (!isRpcError || [401, 403].includes(response.status)) throw failure;
	if (!failure.retry || (isLimit(body.error) && !hasRetryTime(failure.retry))) return body;
	throw failure;
}

function getSingleOutcome(call: RpcRequest, reply: unknown): CallOutcome {
	if (!isRecord(reply)) throw invalidRpcResponseError(call, reply);
	const isOurs = reply.id === (call.id ?? 1) || ('error' in reply && (reply.id ?? null) === null);
	if (!isOurs) throw invalidRpcResponseError(call, reply);
	return getCallOutcome(call, reply);
}

function getBatchOutcomes(calls: Calls, replies: unknown): ExchangeResult {
	if (isRecord(replies) && 'error' in replies) return getOutcomesOfOneError(calls, replies.error);
	if (!Array.isArray(replies)) throw invalidRpcResponseError(calls[0], replies);
	const [only] = replies as readonly unknown[];
	if (replies.length === 1 && isRecord(only) && 'error' in only)
		return getOutcomesOfOneError(calls, only.error);
	const byId = groupRepliesById(replies);
	const outcomes = calls.map((call, index) => getBatchOutcome(call, byId.get(index + 1) ?? []));
	return outcomes.every((outcome) => 'unresolved' in outcome)
		? {
				requestFailure: invalidRpcResponseError(calls[0], replies),
				batchRejected: replies.some(isBatchCutOff),
			}
		: outcomes;
}

/** Handles a single error as the answer to a whole batch: either a rate limit, or a server that refuses the batch. */
function getOutcomesOfOneError(calls: Calls, error: unknown): ExchangeResult {
	return isLimit(error)
		? calls.map((call) => ({ failure: rpcError(call.method, error) }))
		: { requestFailure: rpcError('The batch', error), batchRejected: true };
}

function groupRepliesById(
	replies: readonly unknown[],
): ReadonlyMap<number, Array<Record<string, unknown>>> {
	const byId = new Map<number, Array<Record<string, unknown>>>();
	for (const reply of replies) {
		if (!isRecord(reply) || typeof reply.id !== 'number') continue;
		const earlier = byId.get(reply.id);
		if (earlier) earlier.push(reply);
		else byId.set(reply.id, [reply]);
	}
	return byId;
}

function getBatchOutcome(
	call: RpcRequest,
	replies: ReadonlyArray<Record<string, unknown>>,
): CallOutcome {
	const [reply] = replies;
	if (!reply) {
		return {
			unresolved: executionUnknownError(
				call,
				'The chain node left this call of a batch unanswered',
			),
		};
	}
	if (replies.length > 1) {
		const message = `The chain node answered this call ${replies.length} times`;
		return { unresolved: executionUnknownError(call, message) };
	}
	const outcome = getCallOutcome(call, reply);
	return 'failure' in outcome && isBatchCutOff(reply) ? { unresolved: outcome.failure } : outcome;
}

/**
 * Whether geth cut a batch off because its responses were too large or took too long. The replies before the cut are
 * valid.
 */
function isBatchCutOff(reply: unknown): boolean {
	const error = isRecord(reply) && isRecord(reply.error) ? reply.error : {};
	const words = formatExcerpt(error.message);
	return (
		(error.code === -32003 && /too large/i.test(words)) ||
		(error.code === -32002 && /timed? ?out/i.test(words))
	);
}

function getCallOutcome(call: RpcRequest, reply: Record<string, unknown>): CallOutcome {
	if (reply.error !== undefined && reply.error !== null)
		return { failure: rpcError(call.method, reply.error) };
	if (!('result' in reply)) return { failure: invalidRpcResponseError(call, reply) };
	return { result: reply.result };
}

function invalidRpcResponseError(call: RpcRequest, response: unknown): RequestFailure {
	return executionUnknownError(
		call,
		'The chain node returned an invalid JSON-RPC response',
		` It answered ${formatExcerpt(response)}.`,
	);
}

function executionUnknownError(call: RpcRequest, message: string, details = ''): RequestFailure {
	return new RequestFailure(message, {
		description: `${call.method} was called.${details}`,
		maybeExecuted: true,
	});
}
