import type { Field } from '../../../nodes/core/operation/field';
import type { HttpClient, HttpRequest, HttpResponse } from '../../../nodes/core/http/types';
import { isRecord } from '../../../nodes/core/values/read';
import type { RpcRequest } from '../../../nodes/core/rpc/request';
import { sendCalls, type Calls, type ExchangeResult } from '../../../nodes/core/rpc/exchange';

/** An answer over HTTP; what is no text is sent as JSON. */
export function answer(
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

/** A client of a server that is a function, with a record of what was sent. */
export function fakeHttp(serve: Serve): HttpClient & { readonly sent: SentRequest[] } {
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

/** What a node that answers every call with its own params replies. */
export function reply({ id, params }: SentCall): object {
	return { jsonrpc: '2.0', id, result: params };
}

/** An answer with a reply to each call: a list of them only to a batch. */
export function served(
	{ calls, isBatch }: SentRequest,
	to: (call: SentCall) => object,
): HttpResponse {
	const replies = calls.map(to);
	return answer(200, isBatch ? replies : replies[0]);
}

export function echo(sent: SentRequest): HttpResponse {
	return served(sent, reply);
}

export function rpcCall(index: number, path = '/evm'): RpcRequest {
	return { path, method: 'eth_test', params: [index] };
}

export function thrownBy(work: () => unknown): unknown {
	try {
		work();
	} catch (error) {
		return error;
	}
	throw new Error('Nothing was thrown');
}

/** The message of a failed outcome, else its result. */
export function told(outcome: unknown): unknown {
	if (!isRecord(outcome)) return outcome;
	if (outcome.failure instanceof Error) return outcome.failure.message;
	return outcome.unresolved instanceof Error
		? { again: outcome.unresolved.message }
		: outcome.result;
}

/** How many milliseconds something waits, while jest's clock runs in place of the real one. */
export async function duration(work: Promise<unknown>): Promise<number> {
	const begun = Date.now();
	let ended: number | undefined;
	void work.finally(() => (ended = Date.now())).catch(() => undefined);
	while (ended === undefined) await jest.advanceTimersByTimeAsync(10);
	return ended - begun;
}

export const three: Calls = [rpcCall(0), rpcCall(1), rpcCall(2)];

/** What becomes of calls, when a server answers so. */
export async function outcomes(
	serve: (calls: readonly SentCall[]) => HttpResponse,
	calls: readonly RpcRequest[] = three,
): Promise<ExchangeResult> {
	return await sendCalls(
		fakeHttp((sent) => serve(sent.calls)),
		'/evm',
		calls as Calls,
		{ timeout: 1000 },
	);
}

/** What became of each call, or of all together, in words. */
export function inWords(found: ExchangeResult): unknown {
	if (!('requestFailure' in found)) return found.map(told);
	return { [found.batchRejected ? 'refused' : 'failed']: found.requestFailure.message };
}

/** The results and the words of failures, when a server answers 200 with this body. */
export async function toldOf(
	serve: (calls: readonly SentCall[]) => unknown,
	calls: readonly RpcRequest[] = three,
): Promise<unknown> {
	return inWords(await outcomes((sent) => answer(200, serve(sent)), calls));
}

export function retries(found: ExchangeResult): unknown {
	if ('requestFailure' in found) return found.requestFailure.retry;
	return found.map((one) => ('failure' in one ? one.failure.retry : 'done'));
}

export function failed(id: unknown, error: object): object {
	return { jsonrpc: '2.0', id, error };
}

type Given = Readonly<Record<string, unknown>>;

/** n8n's parameters for one item after another; what begins with `=` is an expression, the last item repeats. */
export function source(raw: Given, ...evaluated: readonly Given[]) {
	return jest.fn((field: Field, item: number, isRaw: boolean): unknown => {
		const given = isRaw ? raw : (evaluated[item] ?? evaluated.at(-1) ?? raw);
		return given[field.name] ?? field.default;
	});
}
