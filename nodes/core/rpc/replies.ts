import { RequestFailure } from '../errors/requestFailure';
import type { HttpClient, HttpRequest, HttpResponse } from '../http/types';
import { hasRetryTime } from '../pacing/retry';
import { parseResponse, statusFailure } from '../responses/response';
import { isLimit, rpcFailure } from '../responses/rpcErrors';
import { excerpt } from '../values/excerpt';
import { isRecord } from '../values/read';
import type { RpcRequest } from './request';

/** A request that failed as such, and all its calls with it. */
export interface WholeFailure {
	readonly whole: RequestFailure;
	/** The server takes no batches, or none of this size: its calls have not been carried out. */
	readonly isRefusal: boolean;
}

/** Sends calls to one path, alone or as a batch, and says what became of each. */
export async function sendCalls(
	http: HttpClient,
	path: string,
	calls: readonly RpcRequest[],
	ends: Pick<HttpRequest, 'timeout' | 'until'>,
): Promise<readonly CallOutcome[] | WholeFailure> {
	const [first] = calls as readonly [RpcRequest, ...RpcRequest[]];
	const body = calls.length === 1 ? envelope(first, first.id ?? 1) : calls.map(inBatch);
	const request: HttpRequest = { method: 'POST', path, body, ...ends };
	try {
		const answer = await http.send(request);
		return calls.length === 1 ? [single(request, answer, first)] : batch(request, answer, calls);
	} catch (error) {
		if (!(error instanceof RequestFailure)) return await Promise.reject(error);
		return { whole: error, isRefusal: isRefused(error.httpCode) };
	}
}

/** Nowhere (404) and too often (429) have an answer of their own, and a wrong secret (401) fails whatever is asked. */
function isRefused(status = 0): boolean {
	return status >= 400 && status < 500 && ![401, 404, 429].includes(status);
}

function envelope({ method, params }: RpcRequest, id: number) {
	return { jsonrpc: '2.0', method, params, id };
}

function inBatch(call: RpcRequest, index: number) {
	return envelope(call, index + 1);
}

function single(request: HttpRequest, answer: HttpResponse, call: RpcRequest): CallOutcome {
	const reply = replyIn(request, answer);
	if (!isRecord(reply)) throw badReply(call, reply);
	const isOurs = reply.id === (call.id ?? 1) || ('error' in reply && (reply.id ?? null) === null);
	if (!isOurs) throw badReply(call, reply);
	return outcome(call, reply);
}

function batch(
	request: HttpRequest,
	answer: HttpResponse,
	calls: readonly RpcRequest[],
): readonly CallOutcome[] | WholeFailure {
	const replies = replyIn(request, answer);
	if (isRecord(replies) && 'error' in replies) return wholeRefused(calls, replies);
	if (!Array.isArray(replies)) throw badReply(calls[0], replies);
	const [only] = replies as readonly unknown[];
	if (replies.length === 1 && isRecord(only) && 'error' in only) return wholeRefused(calls, only);
	const byId = repliesById(replies);
	const outcomes = calls.map((call, index) => oneReply(call, byId.get(index + 1) ?? []));
	return outcomes.every((one) => 'unanswered' in one)
		? { whole: badReply(calls[0], replies), isRefusal: replies.some(isOfBatch) }
		: outcomes;
}

/** One error for the whole batch: a limit refused the calls, or the server takes no such batch. */
function wholeRefused(
	calls: readonly RpcRequest[],
	{ error }: Record<string, unknown>,
): readonly CallOutcome[] | WholeFailure {
	return isLimit(error)
		? calls.map((call) => ({ failure: rpcFailure(call.method, error) }))
		: { whole: rpcFailure('The batch', error), isRefusal: true };
}

/**
 * The JSON-RPC content of an answer. An error in it says more than the status it came with, unless the status
 * says what to do: give up on a refused credential, come back later.
 */
function replyIn(request: HttpRequest, answer: HttpResponse): unknown {
	if (answer.status >= 200 && answer.status < 300) return parseResponse(request, answer);
	const failure = statusFailure(request, answer);
	const body = failure.answer;
	const isTelling = isRecord(body) && isRecord(body.error) && typeof body.error.code === 'number';
	if (!isTelling || [401, 403].includes(answer.status)) throw failure;
	if (!failure.retry || (isLimit(body.error) && !hasRetryTime(failure.retry))) return body;
	throw failure;
}

/** What became of a call: `unanswered` when the rest of its batch was answered, and it was not. */
export type CallOutcome =
	| { readonly result: unknown }
	| { readonly failure: RequestFailure }
	| { readonly unanswered: RequestFailure };

export function repliesById(
	replies: readonly unknown[],
): Map<unknown, Array<Record<string, unknown>>> {
	const byId = new Map<unknown, Array<Record<string, unknown>>>();
	for (const reply of replies) {
		if (!isRecord(reply) || typeof reply.id !== 'number') continue;
		const earlier = byId.get(reply.id);
		if (earlier) earlier.push(reply);
		else byId.set(reply.id, [reply]);
	}
	return byId;
}

export function oneReply(
	call: RpcRequest,
	replies: ReadonlyArray<Record<string, unknown>>,
): CallOutcome {
	const [reply] = replies;
	if (!reply) {
		return { unanswered: unclear(call, 'The node left this call of a batch unanswered') };
	}
	if (replies.length > 1) {
		return { unanswered: unclear(call, `The node answered this call ${replies.length} times`) };
	}
	const found = outcome(call, reply);
	return 'failure' in found && isOfBatch(reply) ? { unanswered: found.failure } : found;
}

/** How geth ends a batch whose answers grow too large, or take too long: those before it are good. */
export function isOfBatch(reply: unknown): boolean {
	const error = isRecord(reply) && isRecord(reply.error) ? reply.error : {};
	const words = excerpt(error.message);
	return (
		(error.code === -32003 && /too large/i.test(words)) ||
		(error.code === -32002 && /timed? ?out/i.test(words))
	);
}

export function outcome(call: RpcRequest, reply: Record<string, unknown>): CallOutcome {
	if (reply.error !== undefined && reply.error !== null)
		return { failure: rpcFailure(call.method, reply.error) };
	if (!('result' in reply)) return { failure: badReply(call, reply) };
	return { result: reply.result };
}

export function badReply(call: RpcRequest | undefined, reply: unknown): RequestFailure {
	return unclear(
		call,
		'The node returned an invalid JSON-RPC response',
		` It answered ${excerpt(reply)}.`,
	);
}

function unclear(call: RpcRequest | undefined, message: string, details = ''): RequestFailure {
	return new RequestFailure(message, {
		description: `${call ? `${call.method} was called` : 'A batch was sent'}.${details}`,
		maybeExecuted: true,
	});
}
