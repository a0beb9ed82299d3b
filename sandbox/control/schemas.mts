const closedObject = (properties: object, required: string[] = []) => ({
	type: 'object',
	additionalProperties: false,
	required,
	properties,
});

const serverName = { type: 'string', enum: ['platform', 'node'] };
const milliseconds = { type: 'number', minimum: 0 };
const position = { type: 'integer', minimum: 0 };
const positions = { type: 'array', items: position, default: [] };
const trueOnly = { const: true };

export const countQuery = closedObject({ room: serverName, path: { type: 'string' } });

export const latency = closedObject({ ms: milliseconds, room: serverName }, ['ms']);

export const limits = {
	...closedObject({
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

const rpcError = closedObject(
	{ code: { type: 'integer' }, message: { type: 'string' }, data: true },
	['code', 'message'],
);

export const batches = closedObject({
	refuse: { enum: ['error', '400', '413', 'close', null], default: null },
	max: { type: 'integer', minimum: 0, default: 1 },
	order: { enum: ['shuffle', 'reverse', null], default: null },
	drop: positions,
	duplicate: positions,
	fail: {
		type: 'array',
		items: closedObject({ index: position, error: rpcError }, ['index', 'error']),
		default: [],
	},
});

const status = { type: 'integer', minimum: 200, maximum: 599 };
const headers = { type: 'object', additionalProperties: { type: 'string' } };

const faultAction = {
	description: 'one of status, redirect, reset, stall, delay, truncate, patch, echo',
	oneOf: [
		closedObject({ status, body: true, headers }, ['status']),
		closedObject({ redirect: { type: 'string' }, status }, ['redirect']),
		closedObject({ reset: { enum: ['before', 'after'] } }, ['reset']),
		closedObject({ stall: milliseconds }, ['stall']),
		closedObject({ delay: milliseconds }, ['delay']),
		closedObject({ truncate: trueOnly }, ['truncate']),
		closedObject({ patch: { type: 'object' } }, ['patch']),
		closedObject({ echo: trueOnly }, ['echo']),
	],
};

export const fault = closedObject(
	{
		room: serverName,
		method: { type: 'string' },
		path: { type: 'string', format: 'regex' },
		rpcMethod: { type: 'string' },
		skip: { type: 'integer', minimum: 0, default: 0 },
		times: { type: 'integer', minimum: -1, not: { const: 0 }, default: 1 },
		do: faultAction,
	},
	['do'],
);

export const apis = closedObject(
	{
		serves: {
			type: 'array',
			uniqueItems: true,
			items: { enum: ['evm', 'root', 'wallet', 'ton'] },
		},
	},
	['serves'],
);

const limitOrNull = { type: ['integer', 'null'], minimum: 1, default: null };

export const searches = closedObject({
	maxBlocks: limitOrNull,
	maxResults: limitOrNull,
	maxBytes: limitOrNull,
	refusal: {
		...rpcError,
		default: { code: -32602, message: 'block range too large, max is {max}' },
	},
	status: { ...status, default: 200 },
});

export const paths = closedObject({ strict: { type: 'boolean' } }, ['strict']);

const lagProperties = {
	blocks: { type: 'integer', minimum: 0, default: 0 },
	share: { type: 'number', minimum: 0, maximum: 1, default: 1 },
};
const nodeLag = { ...closedObject(lagProperties), default: {} };
const indexLag = {
	...closedObject({ ...lagProperties, seconds: { type: 'integer', minimum: 0, default: 0 } }),
	default: {},
};

export const lag = closedObject({
	backends: nodeLag,
	logs: indexLag,
	traces: indexLag,
	seed: { type: 'integer', minimum: 0, default: 1 },
	blooms: { enum: [true, false, 'mixed'], default: true },
	receipts: { type: 'boolean', default: true },
});

export const chainBody = { type: ['object', 'array'] };
