import type { ServerResponse } from 'node:http';
import { callsOf, sendJson, type Received } from '../harness/server.mts';
import type { Travels } from './operations.mts';

/**
 * What becomes of the item that meets a fault. `good`: it has its answer. `fails`: it fails, and it is certain that
 * nothing was done. `unclear`: it fails, and what spends says that it may have been carried out.
 */
export type Outcome = 'good' | 'fails' | 'unclear';

export interface Cell {
	readonly received: Received;
	readonly response: ServerResponse;
	/** Whether a request brings calls of several items. */
	readonly isBatch: boolean;
	/** Gives the answer that an honest service would, and carries out what was asked. */
	readonly honest: (headers?: Record<string, string>) => void;
	/** Carries out what was asked, and says nothing. */
	readonly carryOut: () => void;
	/** The honest answer, as text. */
	readonly body: string;
	/** A secret that must not be seen again. */
	readonly secret: string;
}

export interface Fault {
	readonly name: string;
	readonly do: (cell: Cell) => void;
	/** How often it happens; for ever unless told. */
	readonly times?: number;
	readonly then: Partial<Record<Travels, Outcome>> & { readonly else: Outcome };
	/** How many requests with this item there are: all of them where it says nothing. */
	readonly requests?: Partial<Record<Travels, number>>;
	readonly words?: RegExp;
	readonly only?: readonly Travels[];
}

const RPC: readonly Travels[] = ['batched', 'onceOverRpc'];

/** An error of JSON-RPC for each call, whatever API was asked. */
function rpcError({ received, response }: Cell, error: object, status = 200): void {
	const replies = callsOf(received).map((call) => ({ jsonrpc: '2.0', id: call?.id ?? 1, error }));
	sendJson(response, status, Array.isArray(received.json) ? replies : replies[0]);
}

const echo = (secret: string) => ({ error: { message: `Not with ${secret}.` } });

const BODIES: ReadonlyArray<readonly [string, (secret: string) => readonly [string, string]]> = [
	['JSON', (secret) => ['application/json', JSON.stringify(echo(secret))]],
	['HTML', (secret) => ['text/html', `<!doctype html><title>Not with ${secret}.</title>`]],
	['nothing', () => ['text/plain', '']],
];

/** Answers with a status, and with each kind of body. */
function statuses(codes: readonly number[], rest: Omit<Fault, 'name' | 'do'>): Fault[] {
	return codes.flatMap((status) =>
		BODIES.map(([kind, bodyOf]) => ({
			name: `${status} with ${kind}${rest.times ? ', once' : ''}`,
			do: ({ response, secret }: Cell) => {
				const [type, body] = bodyOf(secret);
				response.writeHead(status, { 'content-type': type, location: 'https://example.com/' });
				response.end(body);
			},
			...rest,
		})),
	);
}

const LOST = { batched: 'good', rest: 'good', else: 'unclear' } as const;
const TWICE = { rest: 2, once: 1, onceOverRpc: 1 } as const;
const ONE = { rest: 1, once: 1, onceOverRpc: 1 } as const;
const AGAIN = { rest: 2, once: 2, onceOverRpc: 2 } as const;

const soon = { 'retry-after': '0.05' };
const tomorrow = { 'retry-after': '86400' };
const limit = { code: -32005, message: 'Slow down.' };

const refusals: readonly Fault[] = [
	...statuses([301, 302, 303, 307, 308], {
		then: { else: 'fails' },
		requests: ONE,
		words: /redirect|Not with/,
	}),
	...statuses([400, 401, 402, 403, 408, 409, 410, 411, 413, 414, 415, 422, 425, 451], {
		then: { else: 'fails' },
		requests: ONE,
	}),
	...statuses([404, 405], { then: { else: 'fails' }, requests: { rest: 1, once: 1 } }),
];

const failures: readonly Fault[] = [
	...statuses([500, 501, 505, 520, 530, 599], {
		times: 1,
		then: { batched: 'good', rest: 'fails', else: 'unclear' },
		requests: ONE,
	}),
	...statuses([502, 503, 504], { times: 1, then: LOST, requests: TWICE }),
	...statuses([500, 502, 503, 504, 520], {
		then: { batched: 'fails', rest: 'fails', else: 'unclear' },
		requests: { once: 1, onceOverRpc: 1 },
	}),
	...statuses([204], {
		times: 1,
		then: { batched: 'good', rest: 'fails', else: 'unclear' },
		requests: ONE,
	}),
];

const limits: readonly Fault[] = [
	{
		name: '429 that says when',
		times: 1,
		do: ({ response }) => sendJson(response, 429, {}, soon),
		then: { else: 'good' },
		requests: AGAIN,
	},
	{
		name: '429 with HTML that says when',
		times: 2,
		do: ({ response }) =>
			response.writeHead(429, { 'content-type': 'text/html', ...soon }).end('<html>Slow down'),
		then: { else: 'good' },
		requests: { rest: 3, once: 3, onceOverRpc: 3 },
	},
	{
		name: '429 with a date',
		times: 1,
		do: ({ response }) =>
			sendJson(response, 429, {}, { 'retry-after': new Date(Date.now() + 900).toUTCString() }),
		then: { else: 'good' },
		requests: AGAIN,
	},
	{
		name: '429 without a time',
		times: 1,
		do: ({ response }) => sendJson(response, 429, { message: 'Slow down.' }),
		then: { batched: 'good', rest: 'good', else: 'fails' },
		requests: TWICE,
		words: /Slow down/,
	},
	{
		name: '429 with a time that is none',
		times: 1,
		do: ({ response }) => sendJson(response, 429, {}, { 'retry-after': 'soon' }),
		then: { batched: 'good', rest: 'good', else: 'fails' },
		requests: TWICE,
	},
	{
		name: '429 until tomorrow',
		do: ({ response }) => sendJson(response, 429, {}, tomorrow),
		then: { else: 'fails' },
		requests: ONE,
		words: /come back in 24 hours, at \d{4}-/,
	},
	{
		name: '429 of a monthly quota',
		do: ({ response }) =>
			sendJson(response, 429, { message: 'Your monthly quota is exceeded.' }, soon),
		then: { else: 'fails' },
		requests: ONE,
		words: /monthly quota/,
	},
	{
		name: '503 that says when',
		times: 1,
		do: ({ response }) => sendJson(response, 503, {}, soon),
		then: LOST,
		requests: TWICE,
	},
	{
		name: '-32005 that says when',
		times: 1,
		do: (cell) => rpcError(cell, { ...limit, data: { try_again_in: '50.5ms' } }),
		then: { else: 'good' },
		requests: AGAIN,
	},
	{
		name: '-32005 with status 429 that says when',
		times: 1,
		do: (cell) => rpcError(cell, { ...limit, data: { try_again_in: '50ms' } }, 429),
		then: { else: 'good' },
		requests: { rest: 2, onceOverRpc: 2 },
		only: ['batched', 'onceOverRpc'],
	},
	{
		name: '-32005 without a time',
		times: 1,
		do: (cell) => rpcError(cell, limit),
		then: { batched: 'good', rest: 'good', else: 'fails' },
		requests: TWICE,
	},
	{
		name: '-32005 with a time of 40,000 digits',
		times: 1,
		do: (cell) => rpcError(cell, { ...limit, data: { try_again_in: '1'.repeat(40_000) } }),
		then: { batched: 'good', rest: 'good', else: 'fails' },
		requests: TWICE,
	},
	{
		name: '-32005 until tomorrow',
		do: (cell) => rpcError(cell, { ...limit, data: { try_again_in: '24h' } }),
		then: { else: 'fails' },
		requests: ONE,
		words: /come back in 24 hours/,
	},
	{
		name: '-32005 of too many results',
		do: (cell) => rpcError(cell, { ...limit, message: 'query returned more than 10000 results' }),
		then: { else: 'fails' },
		requests: ONE,
		words: /more than 10000 results.*Ask for less at a time/s,
		only: RPC,
	},
	{
		name: '429 as a code of JSON-RPC',
		times: 1,
		do: (cell) => rpcError(cell, { code: 429, message: 'Too many requests' }),
		then: { batched: 'good', rest: 'good', else: 'fails' },
		requests: TWICE,
	},
];

const connections: readonly Fault[] = [
	{
		name: 'reset before it is carried out',
		times: 1,
		do: ({ received }) => received.request.socket.resetAndDestroy(),
		then: LOST,
		requests: TWICE,
	},
	{
		name: 'reset after it was carried out',
		times: 1,
		do: ({ received, carryOut }) => {
			carryOut();
			received.request.socket.resetAndDestroy();
		},
		then: LOST,
		requests: TWICE,
	},
	{
		name: 'reset always',
		do: ({ received }) => received.request.socket.resetAndDestroy(),
		then: { batched: 'fails', rest: 'fails', else: 'unclear' },
		requests: TWICE,
		words: /connection to the service was lost/,
	},
	{
		name: 'reset in the middle of the headers',
		times: 1,
		do: ({ received, carryOut }) => {
			carryOut();
			received.request.socket.write('HTTP/1.1 200 OK\r\ncontent-');
			received.request.socket.end();
		},
		then: LOST,
		requests: TWICE,
	},
	{
		name: 'reset in the middle of the body',
		times: 1,
		do: ({ response, carryOut, body }) => {
			carryOut();
			response.writeHead(200, { 'content-length': body.length });
			response.write(body.slice(0, -3), () => response.destroy());
		},
		then: LOST,
		requests: TWICE,
	},
	{
		name: 'silence, once',
		times: 1,
		do: ({ carryOut }) => carryOut(),
		then: LOST,
		requests: TWICE,
		words: /did not answer within/,
	},
	{
		name: 'silence after the headers',
		times: 1,
		do: ({ response, carryOut }) => {
			carryOut();
			response.writeHead(200, { 'content-length': 1000 });
			response.flushHeaders();
		},
		then: LOST,
		requests: TWICE,
		words: /did not answer within/,
	},
	{
		name: 'a byte now and then, without end',
		times: 1,
		do: ({ response, carryOut }) => {
			carryOut();
			response.writeHead(200);
			const drip = setInterval(() => response.write(' '), 50);
			response.once('close', () => clearInterval(drip));
		},
		then: LOST,
		requests: TWICE,
		words: /did not answer within/,
	},
	{
		name: 'no HTTP',
		times: 1,
		do: ({ received }) => received.request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
		then: LOST,
		requests: TWICE,
	},
	{
		name: 'headers of 100 kB',
		times: 1,
		do: ({ response, carryOut, body }) => {
			carryOut();
			response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end(body);
		},
		then: LOST,
		requests: TWICE,
	},
];

/** Status 200, and no answer. What reads alone does not ask again: the service is there, and talks nonsense. */
const nonsense = (name: string, text: (cell: Cell) => string): Fault => ({
	name,
	times: 1,
	do: (cell) => {
		cell.carryOut();
		cell.response.writeHead(200, { 'content-type': 'application/json' }).end(text(cell));
	},
	then: { batched: 'good', rest: 'fails', else: 'unclear' },
	requests: ONE,
});

const answers: readonly Fault[] = [
	nonsense('half of the JSON', ({ body }) => body.slice(0, -1)),
	nonsense('invalid JSON', ({ body }) => `${body}}`),
	nonsense('an empty body', () => ''),
	nonsense('an HTML page', () => '<!doctype html><title>Welcome</title>'),
	nonsense('240 kB of <title', () => '<html><title'.repeat(20_000)),
	nonsense('{}', () => '{}'),
	nonsense('[]', () => '[]'),
	nonsense('null', () => 'null'),
	nonsense('a number', () => '42'),
	nonsense('a list in a list, a million deep', () => '['.repeat(1_000_000)),
	{
		name: 'the right answer as text/html',
		do: ({ honest }) => honest({ 'content-type': 'text/html' }),
		then: { else: 'good' },
		requests: ONE,
	},
	{
		name: 'a 102 before the answer',
		do: ({ response, honest }) => {
			response.writeProcessing();
			honest();
		},
		then: { else: 'good' },
		requests: ONE,
	},
];

/** The replies of the honest answer to a batch, made others. */
const batch = (
	name: string,
	make: (replies: Array<Record<string, unknown>>, cell: Cell) => unknown,
): Fault => ({
	name,
	do: (cell) => {
		if (!cell.isBatch) return cell.honest();
		sendJson(cell.response, 200, make(JSON.parse(cell.body) as [], cell));
	},
	then: { else: 'good' },
	only: ['batched'],
});

const failing = (error: object) => (reply: Record<string, unknown>) => ({ id: reply.id, error });

const batches: readonly Fault[] = [
	batch('replies in another order', (replies) => replies.reverse()),
	batch('a reply that is missing', ([, ...others]) => others),
	batch('a reply that comes twice', (replies) => [...replies, ...replies]),
	batch('a reply to nobody', (replies) => [...replies, { jsonrpc: '2.0', id: 99, result: 1 }]),
	batch('replies without ids', (replies) => replies.map((reply) => ({ ...reply, id: null }))),
	batch('ids as text', (replies) => replies.map((reply) => ({ ...reply, id: String(reply.id) }))),
	batch('one error for all', () => ({ id: null, error: { code: -32600, message: 'No batches' } })),
	batch('a list of one error', ([first]) => [
		{ id: first?.id, error: { message: 'batch too large' } },
	]),
	batch('response too large', ([first, ...others]) => [
		first,
		...others.map(failing({ code: -32003, message: 'response too large' })),
	]),
	batch('request timed out', ([first, ...others]) => [
		first,
		...others.map(failing({ code: -32002, message: 'request timed out' })),
	]),
	batch('response too large, from the first', (replies) =>
		replies.map(failing({ code: -32003, message: 'response too large' })),
	),
	...[400, 403, 405, 413, 415, 500, 502, 503, 504].map((status) => ({
		...batch('', () => undefined),
		name: `${status} for batches alone`,
		do: ({ isBatch, response, honest }: Cell) =>
			isBatch ? sendJson(response, status, {}) : honest(),
	})),
	{
		...batch('', () => undefined),
		name: 'silence for batches alone',
		do: ({ isBatch, honest }: Cell) => (isBatch ? undefined : honest()),
	},
	{
		name: 'a call of its own that fails',
		do: (cell) => {
			if (!cell.isBatch) return rpcError(cell, { code: 3, message: 'execution reverted' });
			const replies = JSON.parse(cell.body) as Array<{ id: number }>;
			const error = { code: 3, message: 'execution reverted' };
			sendJson(
				cell.response,
				200,
				replies.map((reply) => (reply.id === 2 ? { id: 2, error } : reply)),
			);
		},
		then: { else: 'fails' },
		words: /execution reverted/,
		only: RPC,
	},
];

export const faults: readonly Fault[] = [
	...refusals,
	...failures,
	...limits,
	...connections,
	...answers,
	...batches,
];

/** So much is sent that it is tried with few. */
export const large = nonsense('64 MB', () => '"'.repeat(64_000_000));
