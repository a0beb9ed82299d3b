import { parseAnswer, statusFailure } from '../answers/answer';
import { RequestFailure } from '../errors/requestFailure';
import type { HttpClient, HttpAnswer, HttpRequest } from '../http/types';
import { isRecord, tryParseJson } from '../values/parseJson';
import type { RpcRequest } from './rpcRequest';
import { excerpt } from '../values/excerpt';
import { isLimit, rpcFailure } from '../answers/rpcErrors';

export type CallOutcome = { readonly result: unknown } | { readonly failure: RequestFailure };

/** The server takes no batches, or none of this size: its calls have not been carried out. */
export const REFUSED = 'batch refused';

/** Sends calls of one path, alone or as a batch, and says what became of each. */
export async function sendCalls(
	http: HttpClient,
	calls: readonly RpcRequest[],
	timeout: number,
): Promise<readonly CallOutcome[] | typeof REFUSED> {
	const [first] = calls as readonly [RpcRequest, ...RpcRequest[]];
	const body = calls.length === 1 ? envelope(first, first.id ?? 1) : calls.map(inBatch);
	const request: HttpRequest = { method: 'POST', path: first.path, body, timeout };
	try {
		const answer = await http.send(request);
		return calls.length === 1 ? [single(request, answer, first)] : batch(request, answer, calls);
	} catch (error) {
		if (error instanceof RequestFailure) return calls.map(() => ({ failure: error }));
		return await Promise.reject(error);
	}
}

function envelope({ method, params }: RpcRequest, id: number) {
	return { jsonrpc: '2.0', method, params, id };
}

function inBatch(call: RpcRequest, index: number) {
	return envelope(call, index + 1);
}

function single(request: HttpRequest, answer: HttpAnswer, call: RpcRequest): CallOutcome {
	const reply = replyIn(request, answer);
	if (!isRecord(reply)) return { failure: badReply(call, reply) };
	const isOurs = reply.id === (call.id ?? 1) || ('error' in reply && (reply.id ?? null) === null);
	return isOurs ? outcome(call, reply) : { failure: badReply(call, reply) };
}

function batch(
	request: HttpRequest,
	answer: HttpAnswer,
	calls: readonly RpcRequest[],
): readonly CallOutcome[] | typeof REFUSED {
	if ([400, 405, 413, 415].includes(answer.status)) return REFUSED;
	const replies = replyIn(request, answer);
	if (isRecord(replies) && 'error' in replies) return wholeRefused(calls, replies);
	if (!Array.isArray(replies)) return calls.map((call) => ({ failure: badReply(call, replies) }));
	const byId = repliesById(replies);
	const refusal = replies.find((reply) => isRecord(reply) && 'error' in reply);
	if (byId.size === 0 && isRecord(refusal)) return wholeRefused(calls, refusal);
	return calls.map((call, index) => oneReply(call, byId.get(index + 1) ?? []));
}

/** One error for the whole batch: a limit refused the calls, or the server takes no such batch. */
function wholeRefused(
	calls: readonly RpcRequest[],
	{ error }: Record<string, unknown>,
): readonly CallOutcome[] | typeof REFUSED {
	return isLimit(error)
		? calls.map((call) => ({ failure: rpcFailure(call.method, error) }))
		: REFUSED;
}

function repliesById(replies: readonly unknown[]): Map<unknown, Array<Record<string, unknown>>> {
	const byId = new Map<unknown, Array<Record<string, unknown>>>();
	for (const reply of replies) {
		if (!isRecord(reply) || typeof reply.id !== 'number') continue;
		byId.set(reply.id, [...(byId.get(reply.id) ?? []), reply]);
	}
	return byId;
}

function oneReply(call: RpcRequest, replies: ReadonlyArray<Record<string, unknown>>): CallOutcome {
	const [reply] = replies;
	if (!reply) return { failure: unclear(call, 'The node left this call of a batch unanswered') };
	if (replies.length === 1) return outcome(call, reply);
	return { failure: unclear(call, `The node answered this call ${replies.length} times`) };
}

function outcome(call: RpcRequest, reply: Record<string, unknown>): CallOutcome {
	if (reply.error !== undefined && reply.error !== null)
		return { failure: rpcFailure(call.method, reply.error) };
	return 'result' in reply ? { result: reply.result } : { failure: badReply(call, reply) };
}

/**
 * The JSON-RPC content of an answer. An error in it says more than the status it came with, unless the status
 * says what to do: give up on a refused credential, come back later.
 */
function replyIn(request: HttpRequest, answer: HttpAnswer): unknown {
	if (answer.status >= 200 && answer.status < 300) return parseAnswer(request, answer);
	const failure = statusFailure(request, answer);
	const body = tryParseJson(answer.text);
	const isTelling = isRecord(body) && isRecord(body.error) && typeof body.error.code === 'number';
	const isPlain = !failure.retry && ![401, 403].includes(answer.status);
	if (isTelling && (isPlain || isLimit(body.error))) return body;
	throw failure;
}

function badReply(call: RpcRequest, reply: unknown): RequestFailure {
	return unclear(
		call,
		'The node gave no proper JSON-RPC answer',
		` It answered ${excerpt(reply)}.`,
	);
}

function unclear({ method }: RpcRequest, message: string, details = ''): RequestFailure {
	return new RequestFailure(message, {
		description: `${method} was called.${details}`,
		unsure: true,
	});
}
