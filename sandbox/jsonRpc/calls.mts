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

/** A failure is an error that the caller is meant to see. */
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

/** Every field is required, and there are no others: the document lists these four. */
export const callSchema = describedObject(
	{
		jsonrpc: { const: '2.0', description: 'the string "2.0"' },
		id: { type: 'integer', description: 'an integer' },
		method: { type: 'string', description: 'a string' },
		params: { type: 'array', description: 'an array' },
	},
	['jsonrpc', 'id', 'method', 'params'],
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
	/** A JSON schema of the params array. */
	params: object;
	/** The only paths that serve it when paths are strict. */
	documentedAt?: readonly string[];
	answer: (call: Call) => unknown;
}

export type FindMethod = (name: string) => Method | undefined;
