const closed = (properties: object, required: string[] = []) => ({
	type: 'object',
	additionalProperties: false,
	required,
	properties,
});

const room = { type: 'string', enum: ['platform', 'node'] };
const milliseconds = { type: 'number', minimum: 0 };
const position = { type: 'integer', minimum: 0 };
const positions = { type: 'array', items: position, default: [] };
const yes = { const: true };

export const countQuery = closed({ room, path: { type: 'string' } });

export const latency = closed({ ms: milliseconds, room }, ['ms']);

export const limits = {
	...closed({
		callsPerSecond: { type: 'number', exclusiveMinimum: 0 },
		as: { type: 'string', enum: ['rpc', 'rpcWhole', 'http429', 'http503'], default: 'rpc' },
		retryAfter: { type: 'boolean', default: true },
		oversize: { type: 'string', enum: ['debt', 'refuse'], default: 'debt' },
		quota: { type: 'string', enum: ['monthly'] },
		room: { type: 'string', enum: ['platform', 'node', 'grpc'] },
	}),
	description: 'an object with callsPerSecond or quota',
	anyOf: [{ required: ['callsPerSecond'] }, { required: ['quota'] }],
};

const rpcError = closed({ code: { type: 'integer' }, message: { type: 'string' }, data: true }, [
	'code',
	'message',
]);

export const batches = closed({
	refuse: { enum: ['error', '400', '413', 'close', null], default: null },
	max: { type: 'integer', minimum: 0, default: 1 },
	order: { enum: ['shuffle', 'reverse', null], default: null },
	drop: positions,
	duplicate: positions,
	fail: {
		type: 'array',
		items: closed({ index: position, error: rpcError }, ['index', 'error']),
		default: [],
	},
});

const status = { type: 'integer', minimum: 200, maximum: 599 };
const headers = { type: 'object', additionalProperties: { type: 'string' } };

const faultAction = {
	description: 'one of status, redirect, reset, stall, delay, truncate, patch, echo',
	oneOf: [
		closed({ status, body: true, headers }, ['status']),
		closed({ redirect: { type: 'string' }, status }, ['redirect']),
		closed({ reset: { enum: ['before', 'after'] } }, ['reset']),
		closed({ stall: milliseconds }, ['stall']),
		closed({ delay: milliseconds }, ['delay']),
		closed({ truncate: yes }, ['truncate']),
		closed({ patch: { type: 'object' } }, ['patch']),
		closed({ echo: yes }, ['echo']),
	],
};

export const fault = closed(
	{
		room,
		method: { type: 'string' },
		path: { type: 'string', format: 'regex' },
		rpcMethod: { type: 'string' },
		skip: { type: 'integer', minimum: 0, default: 0 },
		times: { type: 'integer', minimum: -1, not: { const: 0 }, default: 1 },
		do: faultAction,
	},
	['do'],
);

export const apis = closed(
	{
		serves: {
			type: 'array',
			uniqueItems: true,
			items: { enum: ['evm', 'root', 'wallet', 'ton'] },
		},
	},
	['serves'],
);

const most = { type: ['integer', 'null'], minimum: 1, default: null };

export const searches = closed({
	maxBlocks: most,
	maxResults: most,
	maxBytes: most,
	refusal: {
		...rpcError,
		default: { code: -32602, message: 'block range too large, max is {max}' },
	},
	status: { ...status, default: 200 },
});

export const paths = closed({ strict: { type: 'boolean' } }, ['strict']);

const lagOf = {
	blocks: { type: 'integer', minimum: 0, default: 0 },
	share: { type: 'number', minimum: 0, maximum: 1, default: 1 },
};
const nodeLag = { ...closed(lagOf), default: {} };
const indexLag = {
	...closed({ ...lagOf, seconds: { type: 'integer', minimum: 0, default: 0 } }),
	default: {},
};

export const lag = closed({
	backends: nodeLag,
	logs: indexLag,
	traces: indexLag,
	seed: { type: 'integer', minimum: 0, default: 1 },
	blooms: { enum: [true, false, 'mixed'], default: true },
	receipts: { type: 'boolean', default: true },
});

export const chainBody = { type: ['object', 'array'] };
