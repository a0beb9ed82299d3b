import type { FastifyInstance } from 'fastify';
import { closedObject } from './schemas.mts';
import { getNow } from './time.mts';

/**
 * The servers whose requests are recorded, delayed and disturbed. The JSON of the control server calls such a server a
 * room.
 */
export type ServerName = 'platform' | 'node';

export const serverNameSchema = { type: 'string', enum: ['platform', 'node'] };

/** A request as it arrived, with its secrets. */
export interface RecordEntry {
	room: ServerName;
	method: string;
	url: string;
	/** The part of the path after the token. On the node, it is `''`, `'/'` or `'/evm'`. */
	path: string;
	query: unknown;
	headers: Record<string, unknown>;
	/**
	 * The body as parsed JSON, or as text if it is no JSON. It is null if there was none, or if the request was refused
	 * unread.
	 */
	body: unknown;
	/** The number of JSON-RPC calls in the body. */
	calls: number;
	/** The status of the answer. It is null before the answer, and stays null if the connection was cut. */
	status: number | null;
	at: number;
	endedAt: number | null;
}

export interface RecordState {
	record: RecordEntry[];
}

declare module 'fastify' {
	interface FastifyRequest {
		entry: RecordEntry;
	}
}

export function addRecording(
	app: FastifyInstance,
	room: ServerName,
	state: RecordState,
	pathOf: (url: string) => string,
): void {
	app.decorateRequest('entry');
	app.addHook('onRequest', async (request, reply) => {
		const { method, originalUrl: url, query, headers } = request;
		const path = pathOf(url);
		const seen = { room, method, url, path, query, headers: { ...headers } };
		request.entry = { ...seen, body: null, calls: 0, status: null, at: getNow(), endedAt: null };
		state.record.push(request.entry);
		const { entry } = request;
		reply.raw.once('close', () => {
			entry.status = reply.raw.headersSent ? reply.raw.statusCode : null;
			entry.endedAt = getNow();
		});
	});
	app.addHook('preValidation', async ({ entry, body }) => {
		entry.body = parseBody(body);
		entry.calls = getCalls(entry.body).length;
	});
}

/** Records a message on a WebSocket in an entry of its own, beside the entry of the handshake. */
export function recordMessage(state: RecordState, handshake: RecordEntry, text: string): void {
	const body = parseBody(text);
	const at = getNow();
	const seen = { ...handshake, method: 'WS', headers: {}, body, calls: getCalls(body).length };
	state.record.push({ ...seen, status: null, at, endedAt: at });
}

/** Returns the JSON-RPC calls in a body, even if they are malformed. */
export function getCalls(body: unknown): unknown[] {
	if (Array.isArray(body)) return body;
	return typeof body === 'object' && body !== null && 'method' in body ? [body] : [];
}

export const getRpcMethods = (body: unknown): unknown[] =>
	getCalls(body).map((call) => (call as { method?: unknown } | null)?.method);

function parseBody(body: unknown): unknown {
	if (typeof body !== 'string') return body ?? null;
	try {
		return JSON.parse(body);
	} catch {
		return body;
	}
}

interface CountRequest {
	Querystring: { room?: ServerName; path?: string };
}

const countQuery = closedObject({ room: serverNameSchema, path: { type: 'string' } });

export function addRecordControl(app: FastifyInstance, state: RecordState): void {
	app.get('/record', async () => state.record);
	app.get<CountRequest>(
		'/record/count',
		{ schema: { querystring: countQuery } },
		async ({ query: { room, path } }) => {
			const found = state.record.filter(
				(entry) => (room ?? entry.room) === entry.room && (path ?? entry.path) === entry.path,
			);
			return { requests: found.length, calls: found.reduce((sum, { calls }) => sum + calls, 0) };
		},
	);
	app.delete('/record', async () => {
		state.record = [];
		return { done: true };
	});
}
