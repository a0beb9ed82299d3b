import type { INodeProperties } from 'n8n-workflow';

/**
 * The limits of requests: fields of the credentials of a chain node, and options of some operations. Keep the texts short, because n8n
 * sends them to an AI model once more for each operation that shows them.
 */
export const LIMITS = {
	batchSize: {
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000 },
		default: 100,
		description: 'How many calls may be sent together in one request; 1 sends each call alone',
	},
	concurrency: {
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 4,
		description: 'How many requests may wait for answers at once',
	},
	maxCallsPerSecond: {
		displayName: 'Max Calls per Second',
		name: 'maxCallsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 10_000 },
		default: 0,
		description: 'The most calls per second, including retries; 0 means no limit',
	},
	maxRetries: {
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 20 },
		default: 4,
		description: 'How many times a failed request is sent again',
	},
	maxWait: {
		displayName: 'Max Wait',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 86_400 },
		default: 300,
		description: 'How many seconds to wait at most until a rate limit ends',
	},
	timeout: {
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3_600_000 },
		default: 30_000,
		description: 'How many milliseconds to wait for an answer',
	},
} as const;

const LIMITS_SHOWN = { show: { setLimits: [true] } };

/**
 * The fields of a credential. Concurrency has the default 0, because operations with JSON-RPC have another default than operations without
 * it.
 */
export const limitFields: INodeProperties[] = [
	{
		displayName: 'Set Limits',
		name: 'setLimits',
		type: 'boolean',
		default: false,
		description: 'Whether to change timeout, retries and rates for every node with this credential',
	},
	...[
		LIMITS.batchSize,
		{
			...LIMITS.concurrency,
			typeOptions: { ...LIMITS.concurrency.typeOptions, minValue: 0 },
			default: 0,
			description: `${LIMITS.concurrency.description}; 0 keeps the default of each operation`,
		},
		LIMITS.maxCallsPerSecond,
		LIMITS.maxRetries,
		LIMITS.maxWait,
		LIMITS.timeout,
	].map((field) => ({ ...field, displayOptions: LIMITS_SHOWN })),
];
