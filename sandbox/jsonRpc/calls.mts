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

/** An error that is shown to the caller. */
export class RpcFailure extends Error {
	readonly error: RpcError;
	/** The HTTP status of the answer if the call came alone. */
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

/** The schema of a call. All four fields of the provider's document are required, and others are refused. */
export const callSchema = describedObject(
	{ ...callFields, params: { type: 'array', description: 'an array' } },
	['jsonrpc', 'id', 'method', 'params'],
);

/** The schema of a call whose parameters may come by name. `params` may be left out if there are none. */
export const namedCallSchema = describedObject(
	{ ...callFields, params: { type: ['array', 'object'], description: 'an array or an object' } },
	['jsonrpc', 'id', 'method'],
);

/** Creates the schema of an array with exactly these items. */
export const tuple = (...items: object[]) => ({
	type: 'array',
	items,
	minItems: items.length,
	maxItems: items.length,
	additionalItems: false,
	description: `an array of ${items.length}`,
});

/** The schema of an error in the settings of the control server. */
export const rpcErrorSchema = closedObject(
	{ code: { type: 'integer' }, message: { type: 'string' }, data: true },
	['code', 'message'],
);

export function getId(call: unknown): RpcId {
	const id = (call as { id?: unknown } | null)?.id;
	return typeof id === 'number' && Number.isInteger(id) ? id : null;
}

export interface Method {
	/** The JSON schema of the params array, or a function that chooses the schema by the parameters. */
	params: object | ((params: unknown[]) => Promise<object>);
	/** The names of the parameters in their order. Without them, parameters cannot come by name. */
	names?: readonly string[];
	/** The paths that serve the method when the setting `strictPaths` is on. */
	documentedAt?: readonly string[];
	answer: (call: Call) => unknown;
}

/** Puts the named parameters of a call into their order. The last parameters may be missing. */
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
