export interface RpcError {
	code: number;
	message: string;
	data?: unknown;
}

export type RpcId = number | null;

export interface Call {
	jsonrpc: '2.0';
	id: number;
	method: string;
	params: unknown[];
}

export type Reply =
	| { jsonrpc: '2.0'; id: RpcId; result: unknown }
	| { jsonrpc: '2.0'; id: RpcId; error: RpcError };

/** An error that the caller is meant to see. */
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
export const callSchema = {
	type: 'object',
	description: 'an object',
	required: ['jsonrpc', 'id', 'method', 'params'],
	additionalProperties: false,
	properties: {
		jsonrpc: { const: '2.0', description: 'the string "2.0"' },
		id: { type: 'integer', description: 'an integer' },
		method: { type: 'string', description: 'a string' },
		params: { type: 'array', description: 'an array' },
	},
};

export function getId(call: unknown): RpcId {
	const id = (call as { id?: unknown } | null)?.id;
	return typeof id === 'number' && Number.isInteger(id) ? id : null;
}
