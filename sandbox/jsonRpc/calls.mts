import { closedObject, describedObject } from '../http/schemas.mts';

export interface RpcError {
	code: number;
	message: string;
	data?: unknown;
}

type RpcId = number | null;

export interface Call {
	jsonrpc: '2.0';
	id: number;
	method: string;
	params: unknown[];
}

export type Reply =
	| { jsonrpc: '2.0'; id: RpcId; result: unknown }
	| { jsonrpc: '2.0'; id: RpcId; error: RpcError };

/** This error is shown to the caller. */
export class RpcFailure extends Error {
	readonly error: RpcError;
	/** The status of the answer, where the call came alone. */
	readonly status: number;

	constructor(code: number, message: string, data?: unknown, status = 200) {
		super(message);
		this.status = status;
		this.error = data === undefined ? { code, message } : { code, message, data };
	}
}

export const buildErrorReply = (id: RpcId, error: RpcError): Reply => ({
	jsonrpc: '2.0',
	id,
	error,
});

const callFields = {
	jsonrpc: { const: '2.0', description: 'the string "2.0"' },
	id: { type: 'integer', description: 'an integer' },
	method: { type: 'string', description: 'a string' },
};

/** Every field is required, and there are no others: the document lists these four. */
export const callSchema = describedObject(
	{ ...callFields, params: { type: 'array', description: 'an array' } },
	['jsonrpc', 'id', 'method', 'params'],
);

/** Parameters that have names may come by them, and may be left out where there are none. */
export const namedCallSchema = describedObject(
	{ ...callFields, params: { type: ['array', 'object'], description: 'an array or an object' } },
	['jsonrpc', 'id', 'method'],
);

/** The schema of a params array that holds exactly these items. */
export const tuple = (...items: object[]) => ({
	type: 'array',
	items,
	minItems: items.length,
	maxItems: items.length,
	additionalItems: false,
	description: `an array of ${items.length}`,
});

/** The schema of an error that the control server may set. */
export const rpcErrorSchema = closedObject(
	{ code: { type: 'integer' }, message: { type: 'string' }, data: true },
	['code', 'message'],
);

export function getId(call: unknown): RpcId {
	const id = (call as { id?: unknown } | null)?.id;
	return typeof id === 'number' && Number.isInteger(id) ? id : null;
}

export interface Method {
	/** A JSON schema of the params array; it may depend on what they are. */
	params: object | ((params: unknown[]) => Promise<object>);
	/** The names of the parameters in their order, where they may come by name. */
	names?: readonly string[];
	/** The only paths that serve it when paths are strict. */
	documentedAt?: readonly string[];
	answer: (call: Call) => unknown;
}

/** The named parameters of a call, in their order. The last parameters may be missing. */
export function arrangeParams(
	params: unknown[] | Record<string, unknown> | undefined,
	names: readonly string[],
): unknown[] {
	if (params === undefined) return [];
	if (Array.isArray(params)) return params;
	const unknown = Object.keys(params).find((name) => !names.includes(name));
	if (unknown !== undefined) {
		throw new RpcFailure(-32602, `params has an unknown field "${unknown}"`);
	}
	const count = names.findLastIndex((name) => name in params) + 1;
	return names.slice(0, count).map((name) => {
		if (name in params) return params[name];
		throw new RpcFailure(-32602, `params lacks "${name}"`);
	});
}

export type FindMethod = (name: string) => Method | undefined;
