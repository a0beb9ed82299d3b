import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
	getRpcMethods,
	type RecordEntry,
	type ServerName,
	serverNameSchema,
} from './recording.mts';
import { closedObject } from './schemas.mts';
import { isSending, type Sending, sendingSchema } from './sending.mts';
import { pause } from './time.mts';

/** The moment of a fault: before or after the request has taken effect. */
type Moment = 'before' | 'after';

type FaultAction =
	/** The client gets the given answer, and the request takes no effect. */
	| { status: number; body?: unknown; headers?: Record<string, string> }
	/** The client is redirected to the given address. The status is 302 unless another is given. */
	| { redirect: string; status?: number }
	/** The connection is reset, either before or after the request takes effect. */
	| { reset: Moment }
	/**
	 * The connection closes after this many milliseconds of silence. The request takes effect only if `when` is 'after'.
	 */
	| { stall: number; when?: Moment }
	/**
	 * The real answer comes after this many milliseconds. The request takes effect after the pause, or before it if
	 * `when` is 'after'.
	 */
	| { delay: number; when?: Moment }
	/** The client gets half of the real body, with the content-length of the whole body. Then the connection closes. */
	| { truncate: true }
	/** The real answer gets additional top-level fields. In the answer to a batch, each reply gets them. */
	| { patch: Record<string, unknown> }
	/**
	 * The client gets a page with status 401. It shows the URL and the credentials unchanged, URL-encoded and in base64.
	 */
	| { echo: true };

interface FaultRule {
	/** The server that the fault affects. Without it, the fault affects the platform and the node. */
	room?: ServerName;
	/** The HTTP method of the requests that fail. */
	method?: string;
	/** A regular expression for the path. On the node, it is applied to the part after the token. */
	path?: string;
	/** The JSON-RPC method that fails. A request fails if one of its calls has the method. */
	rpcMethod?: string;
	/** Limits the fault to requests that send a transaction to a chain of the given family, or of any family. */
	sends?: Sending;
	/** The number of matching requests that pass before the fault. */
	skip: number;
	/** The number of times that the fault happens; -1 means always. */
	times: number;
	do: FaultAction;
}

export interface FaultState {
	faults: FaultRule[];
}

/** Returns the fault of the first rule that matches the request, and counts it as one use of the rule. */
function takeNextFault(state: FaultState, entry: RecordEntry): FaultAction | undefined {
	for (const rule of state.faults) {
		if (!matchesRule(rule, entry)) continue;
		if (rule.skip > 0) {
			rule.skip -= 1;
			continue;
		}
		if (rule.times > 0) rule.times -= 1;
		if (rule.times === 0) state.faults = state.faults.filter((other) => other !== rule);
		return rule.do;
	}
	return undefined;
}

function matchesRule(rule: FaultRule, entry: RecordEntry): boolean {
	if (rule.room !== undefined && rule.room !== entry.room) return false;
	if (rule.method !== undefined && rule.method !== entry.method) return false;
	if (rule.path !== undefined && !new RegExp(rule.path).test(entry.path)) return false;
	if (rule.sends !== undefined && !isSending(rule.sends, entry)) return false;
	return rule.rpcMethod === undefined || getRpcMethods(entry.body).includes(rule.rpcMethod);
}

declare module 'fastify' {
	interface FastifyRequest {
		/** A fault that changes the real answer of the request. */
		fault: FaultAction | undefined;
	}
}

export function addFaults(app: FastifyInstance, state: FaultState): void {
	app.decorateRequest('fault');
	app.addHook('preValidation', async (request, reply) => {
		const fault = takeNextFault(state, request.entry);
		if (fault) return await applyBeforeAnswer(fault, request, reply);
	});
	// The hook is not async, because `done` is never called after a truncated answer. Fastify then has nothing left to
	// send.
	app.addHook<string>('onSend', (request, reply, payload, done) => {
		const { fault } = request;
		if (fault && 'truncate' in fault) return truncate(reply, payload);
		if (fault && 'reset' in fault) return resetConnection(request, reply);
		if (fault && 'stall' in fault) return void stall(fault.stall, request, reply);
		if (fault && 'delay' in fault) return void pause(fault.delay).then(() => done(null, payload));
		if (fault && 'patch' in fault) return done(null, patchAnswer(payload, fault.patch));
		done(null, payload);
	});
}

async function applyBeforeAnswer(fault: FaultAction, request: FastifyRequest, reply: FastifyReply) {
	if ('when' in fault && fault.when === 'after') {
		request.fault = fault;
		return;
	}
	if ('delay' in fault) return await pause(fault.delay);
	if ('redirect' in fault) return reply.redirect(fault.redirect, fault.status);
	if ('status' in fault) {
		return reply
			.code(fault.status)
			.headers(fault.headers ?? {})
			.send(fault.body);
	}
	if ('echo' in fault) return reply.code(401).type('text/html').send(buildEchoPage(request));
	if ('stall' in fault) {
		await stall(fault.stall, request, reply);
	} else if ('reset' in fault && fault.reset === 'before') {
		resetConnection(request, reply);
	} else {
		request.fault = fault;
	}
}

async function stall(milliseconds: number, request: FastifyRequest, reply: FastifyReply) {
	reply.hijack();
	await pause(milliseconds);
	request.raw.socket.destroy();
}

function resetConnection(request: FastifyRequest, reply: FastifyReply): void {
	reply.hijack();
	request.raw.socket.resetAndDestroy();
}

function truncate(reply: FastifyReply, payload: string): void {
	// A client that leaves now makes the answer fail, and fastify would try to answer that failure as well.
	reply.hijack();
	const whole = Buffer.from(payload);
	reply.raw.writeHead(reply.statusCode, {
		...(reply.getHeaders() as Record<string, string>),
		'content-length': whole.length,
	});
	reply.raw.write(whole.subarray(0, whole.length >> 1), () => reply.raw.destroy());
}

function patchAnswer(payload: string, fields: Record<string, unknown>): string {
	const answer: unknown = JSON.parse(payload);
	const patch = (one: unknown) => ({ ...(one as object), ...fields });
	return JSON.stringify(Array.isArray(answer) ? answer.map(patch) : patch(answer));
}

/** Builds an error page that shows the secrets of the request in three spellings, as a careless server might. */
function buildEchoPage(request: FastifyRequest): string {
	const { authorization = '' } = request.headers;
	const [, credential = ''] = authorization.split(' ');
	const [, firstSegment = ''] = request.originalUrl.split(/[/?]/);
	const url = `${request.protocol}://${request.host}${request.originalUrl}`;
	const echoed = [url, firstSegment, authorization, credential].filter((text) => text !== '');
	const lines = echoed.flatMap(getSpellings).map((text) => `<li>${text}</li>`);
	return `<html><head><title>401 ${url}</title></head><body><ul>${lines.join('')}</ul></body></html>`;
}

export const getSpellings = (text: string) => [
	text,
	encodeURIComponent(text),
	Buffer.from(text).toString('base64'),
];

const milliseconds = { type: 'number', minimum: 0 };
const isTrue = { const: true };
const moment = { enum: ['before', 'after'] };

export const statusSchema = { type: 'integer', minimum: 200, maximum: 599 };

const actionSchema = {
	description: 'one of status, redirect, reset, stall, delay, truncate, patch, echo',
	oneOf: [
		closedObject(
			{
				status: statusSchema,
				body: true,
				headers: { type: 'object', additionalProperties: { type: 'string' } },
			},
			['status'],
		),
		closedObject({ redirect: { type: 'string' }, status: statusSchema }, ['redirect']),
		closedObject({ reset: moment }, ['reset']),
		closedObject({ stall: milliseconds, when: moment }, ['stall']),
		closedObject({ delay: milliseconds, when: moment }, ['delay']),
		closedObject({ truncate: isTrue }, ['truncate']),
		closedObject({ patch: { type: 'object' } }, ['patch']),
		closedObject({ echo: isTrue }, ['echo']),
	],
};

const ruleSchema = closedObject(
	{
		room: serverNameSchema,
		method: { type: 'string' },
		path: { type: 'string', format: 'regex' },
		rpcMethod: { type: 'string' },
		sends: sendingSchema,
		skip: { type: 'integer', minimum: 0, default: 0 },
		times: { type: 'integer', minimum: -1, not: { const: 0 }, default: 1 },
		do: actionSchema,
	},
	['do'],
);

export function addFaultControl(app: FastifyInstance, state: FaultState): void {
	app.get('/faults', async () => state.faults);
	app.post<{ Body: FaultRule }>('/faults', { schema: { body: ruleSchema } }, async ({ body }) => {
		state.faults = [...state.faults, body];
		return body;
	});
	app.delete('/faults', async () => {
		state.faults = [];
		return { done: true };
	});
}
