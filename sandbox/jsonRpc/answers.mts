import type { FastifyReply, FastifyRequest } from 'fastify';
import { admitCalls, isLimitedByCall, type LimitState } from '../http/limits.mts';
import { findSchemaProblem } from '../http/schemas.mts';
import { type BatchState, mistreatReplies } from './batches.mts';
import {
	arrangeParams,
	type Call,
	callSchema,
	buildErrorReply,
	getId,
	type Reply,
	RpcFailure,
	type FindMethod,
	type Method,
	namedCallSchema,
} from './calls.mts';

declare module 'fastify' {
	interface FastifyRequest {
		/** The HTTP status of the answer if a call has failed. */
		failedWith?: number;
	}
}

export interface RpcState extends LimitState, BatchState {
	/** Whether each method is served only at the path in the provider's document. */
	strictPaths: boolean;
}

/** Creates a route handler that answers one call or a batch. */
export const createJsonRpcHandler = (...parts: Parameters<typeof createRpcAnswerer>) => {
	const answer = createRpcAnswerer(...parts);
	return async (request: FastifyRequest, reply: FastifyReply) => {
		const replies = await answer(request.body, request);
		if (!Array.isArray(replies) && request.failedWith) reply.code(request.failedWith);
		return replies;
	};
};

/**
 * Creates a function that answers one call or a batch. The text is the body of the request, or a message on its
 * WebSocket.
 */
export const createRpcAnswerer = (state: RpcState, find: FindMethod) => {
	return async (text: unknown, request: FastifyRequest): Promise<Reply | Reply[]> => {
		const body = tryParse(text);
		if (body === undefined) return buildErrorReply(null, { code: -32700, message: 'parse error' });
		if (!Array.isArray(body)) return await reply(body, request);
		if (body.length === 0) return buildErrorReply(null, { code: -32600, message: 'empty batch' });
		const repeated = findRepeatedIds(body);
		const replies = body.map((call, index) => {
			if (!repeated.has(index)) return reply(call, request);
			return buildErrorReply(getId(call), {
				code: -32600,
				message: 'id is used twice in this batch',
			});
		});
		return mistreatReplies(await Promise.all(replies), state.batches);
	};

	async function reply(call: unknown, request: FastifyRequest): Promise<Reply> {
		const id = getId(call);
		try {
			if (isLimitedByCall(state, 'node')) limitCall();
			return { jsonrpc: '2.0', id, result: await result(call, request) };
		} catch (error) {
			if (error instanceof RpcFailure) {
				request.failedWith = error.status;
				return buildErrorReply(id, error.error);
			}
			return buildErrorReply(id, { code: -32603, message: `internal error: ${error}` });
		}
	}

	async function result(unchecked: unknown, request: FastifyRequest): Promise<unknown> {
		const { method: name } = (unchecked ?? {}) as Partial<Call>;
		const method = typeof name === 'string' ? find(name) : undefined;
		const schema = method?.names ? namedCallSchema : callSchema;
		const malformed = findSchemaProblem(unchecked, schema, request, 'call');
		if (malformed) throw new RpcFailure(-32600, malformed);
		const call = unchecked as Call;
		if (!method) throw new RpcFailure(-32601, `the method ${call.method} does not exist here`);
		if (state.strictPaths) checkMethodPath(method, request);
		const params = method.names ? arrangeParams(call.params, method.names) : call.params;
		const wanted =
			typeof method.params === 'function' ? await method.params(params) : method.params;
		const wrong = findSchemaProblem(params, wanted, request, 'params');
		if (wrong) throw new RpcFailure(-32602, wrong);
		return await method.answer({ ...call, params });
	}

	function limitCall(): void {
		const refusal = admitCalls(state, 'node', 1);
		if (!refusal) return;
		const { code, message, data } = refusal.error;
		throw new RpcFailure(code, message, data);
	}
};

function checkMethodPath({ documentedAt }: Method, { entry, headers }: FastifyRequest): void {
	// HTTP has no empty path. Without the token in the path, an empty path and a slash are the same.
	const paths = headers.authorization && entry.path === '/' ? ['', '/'] : [entry.path];
	if (!documentedAt || paths.some((path) => documentedAt.includes(path))) return;
	const wanted = documentedAt.map((path) => `"${path}"`).join(' or ');
	throw new RpcFailure(-32601, `served at path ${wanted} only, not at "${entry.path}"`);
}

function findRepeatedIds(batch: unknown[]): Set<number> {
	const ids = batch.map(getId);
	const repeats = ids.map((id, index) => (id !== null && ids.indexOf(id) < index ? index : -1));
	return new Set(repeats.filter((index) => index >= 0));
}

function tryParse(text: unknown): unknown {
	try {
		return JSON.parse(String(text));
	} catch {
		return undefined;
	}
}
