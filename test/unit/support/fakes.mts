import type { Field } from '../../../nodes/core/operation/field';
import type { HttpClient, HttpRequest, HttpResponse } from '../../../nodes/core/net/http/types';
import { isRecord } from '../../../nodes/core/values/parse';
import type { RpcRequest } from '../../../nodes/core/protocols/rpc/request';
import {
	sendCalls,
	type Calls,
	type ExchangeResult,
} from '../../../nodes/core/protocols/rpc/exchange';

/** Builds an HTTP response. A body that is not text is written as JSON. */
export function buildResponse(
	status: number,
	body: unknown,
	headers: Readonly<Record<string, string>> = {},
): HttpResponse {
	return { status, headers, text: typeof body === 'string' ? body : JSON.stringify(body) };
}

export interface SentCall {
	readonly jsonrpc: string;
	readonly method: string;
	readonly params: readonly unknown[];
	readonly id: number;
}

export interface SentRequest {
	readonly request: HttpRequest;
	readonly calls: readonly SentCall[];
	readonly isBatch: boolean;
}

type Serve = (sent: SentRequest, index: number) => HttpResponse | Promise<HttpResponse>;

/** Creates a client that passes its requests to the function `serve` in place of a server, and records them. */
export function createFakeHttp(serve: Serve): HttpClient & { readonly sent: SentRequest[] } {
	const sent: SentRequest[] = [];
	return {
		sent,
		redact: (text) => text,
		send: async (request) => {
			const body: unknown = JSON.parse(JSON.stringify(request.body));
			const isBatch = Array.isArray(body);
			const one = { request, calls: (isBatch ? body : [body]) as SentCall[], isBatch };
			return await serve(one, sent.push(one) - 1);
		},
	};
}

/** Builds the reply of a node that returns the params of a call. */
export function buildReply({ id, params }: SentCall): object {
	return { jsonrpc: '2.0', id, result: params };
}

/** Builds a reply to each call. Only the replies to a batch are a list. */
export function buildReplies(
	{ calls, isBatch }: SentRequest,
	to: (call: SentCall) => object,
): HttpResponse {
	const replies = calls.map(to);
	return buildResponse(200, isBatch ? replies : replies[0]);
}

export function buildEcho(sent: SentRequest): HttpResponse {
	return buildReplies(sent, buildReply);
}

export function buildCall(index: number, path = '/evm'): RpcRequest {
	return { path, method: 'eth_test', params: [index] };
}

export function catchThrown(work: () => unknown): unknown {
	try {
		work();
	} catch (error) {
		return error;
	}
	throw new Error('Nothing was thrown');
}

/** Returns the message of a failed outcome, or the result of a successful one. */
export function getOutcome(outcome: unknown): unknown {
	if (!isRecord(outcome)) return outcome;
	if (outcome.failure instanceof Error) return outcome.failure.message;
	return outcome.unresolved instanceof Error
		? { again: outcome.unresolved.message }
		: outcome.result;
}

/** Measures how long a promise takes, in milliseconds of jest's fake clock. */
export async function measureDuration(work: Promise<unknown>): Promise<number> {
	const begun = Date.now();
	let ended: number | undefined;
	void work.finally(() => (ended = Date.now())).catch(() => undefined);
	while (ended === undefined) await jest.advanceTimersByTimeAsync(10);
	return ended - begun;
}

export const THREE_CALLS: Calls = [buildCall(0), buildCall(1), buildCall(2)];

/** Sends calls to a server that answers by the function `serve`, and returns their outcomes. */
export async function sendAndGetOutcomes(
	serve: (calls: readonly SentCall[]) => HttpResponse,
	calls: readonly RpcRequest[] = THREE_CALLS,
): Promise<ExchangeResult> {
	return await sendCalls(
		createFakeHttp((sent) => serve(sent.calls)),
		'/evm',
		calls as Calls,
		{ timeout: 1000 },
	);
}

/** Formats the outcome of each call, or the single failure of the whole request. */
export function formatOutcomes(found: ExchangeResult): unknown {
	if (!('requestFailure' in found)) return found.map(getOutcome);
	return { [found.batchRejected ? 'refused' : 'failed']: found.requestFailure.message };
}

/** Returns the results, or the messages of failures. The server answers with status 200 and the body from `serve`. */
export async function getFormattedOutcomes(
	serve: (calls: readonly SentCall[]) => unknown,
	calls: readonly RpcRequest[] = THREE_CALLS,
): Promise<unknown> {
	return formatOutcomes(await sendAndGetOutcomes((sent) => buildResponse(200, serve(sent)), calls));
}

export function getRetries(found: ExchangeResult): unknown {
	if ('requestFailure' in found) return found.requestFailure.retry;
	return found.map((one) => ('failure' in one ? one.failure.retry : 'done'));
}

export function buildFailure(id: unknown, error: object): object {
	return { jsonrpc: '2.0', id, error };
}

type ParameterValues = Readonly<Record<string, unknown>>;

/**
 * Creates the parameters of n8n for successive items. A value that begins with `=` is an expression, and further
 * items get the last item's values.
 */
export function createSource(raw: ParameterValues, ...evaluated: readonly ParameterValues[]) {
	return jest.fn((field: Field, item: number, isRaw: boolean): unknown => {
		const given = isRaw ? raw : (evaluated[item] ?? evaluated.at(-1) ?? raw);
		return given[field.name] ?? field.default;
	});
}
