import type { NodeContext } from '../context';
import { DEFAULT_MAX_WAIT } from '../pacing/pacer';
import { mustBe, number, wholeNumber } from '../values/read';
import type { Field } from './field';
import { parameterReader, parameterSource } from './parameters';

const batchSize = {
	displayName: 'Batch Size',
	name: 'batchSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1000 },
	default: 100,
	description: 'How many calls may travel in one request. 1 sends every call alone.',
	read: wholeNumber(1, 1000),
} as const satisfies Field;

export function concurrency<const Default extends number>(usual: Default) {
	return {
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: usual,
		description: 'How many requests may be under way at the same time',
		read: wholeNumber(1, 100),
	} as const satisfies Field;
}

/** For `maxCallsPerSecond`: one call in a hundred seconds is the least that makes sense. */
const [SLOWEST, FASTEST] = [0.01, 10_000];

export const maxCallsPerSecond = {
	displayName: 'Max Calls per Second',
	name: 'maxCallsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: FASTEST },
	default: 0,
	description:
		'How many calls to send within any second at most, such as the limit of your plan. Each call of a batch counts, and so does each retry. It holds for one run of this node; other nodes and executions add to it. 0 does not limit them beforehand, 0.5 is one every two seconds.',
	read: (given: unknown) => {
		const rate = number(given);
		return rate === 0 || (rate >= SLOWEST && rate <= FASTEST)
			? rate
			: mustBe(`0 or a number from ${SLOWEST} to ${FASTEST}`);
	},
} as const satisfies Field;

export const maxRetries = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 20 },
	default: 4,
	description:
		'How many times a failed request is sent again. Waiting out a rate limit that says when to come back does not count as a retry.',
	read: wholeNumber(0, 20),
} as const satisfies Field;

export const maxWait = {
	displayName: 'Max Wait',
	name: 'maxWait',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 86_400 },
	default: DEFAULT_MAX_WAIT,
	description:
		'How many seconds to wait at most when a rate limit says when to come back. If it would take longer, the item fails.',
	read: wholeNumber(0, 86_400),
} as const satisfies Field;

export function timeout<const Default extends number>(usual: Default, description: string) {
	return {
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3_600_000 },
		default: usual,
		description,
		read: wholeNumber(1, 3_600_000),
	} as const satisfies Field;
}

export function optionsField<const Own extends readonly Field[]>(own: Own) {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: own,
	} as const;
}

const FOR_AN_ANSWER = 'How many milliseconds to wait for an answer';
const WHILE_SILENT = 'How many milliseconds to wait while nothing is sent or received';

const USUAL = {
	rest: { concurrency: 10, timeout: 30_000 },
	rpc: { concurrency: 4, timeout: 30_000 },
	upload: { concurrency: 2, timeout: 300_000 },
} as const;

export function restOptions<const Own extends readonly Field[]>(...own: Own) {
	const { concurrency: requests, timeout: wait } = USUAL.rest;
	const timeLimit = timeout(wait, FOR_AN_ANSWER);
	return optionsField([
		...own,
		concurrency(requests),
		maxCallsPerSecond,
		maxRetries,
		maxWait,
		timeLimit,
	] as const);
}

/** Without retries. */
export function nonIdempotentOptions<const Own extends readonly Field[]>(...own: Own) {
	return unrepeated(own, USUAL.rest, FOR_AN_ANSWER);
}

/** Without retries; the timeout counts while nothing moves. */
export function uploadOptions<const Own extends readonly Field[]>(...own: Own) {
	return unrepeated(own, USUAL.upload, WHILE_SILENT);
}

function unrepeated<const Own extends readonly Field[]>(
	own: Own,
	usual: { readonly concurrency: number; readonly timeout: number },
	timed: string,
) {
	return optionsField([
		...own,
		concurrency(usual.concurrency),
		maxCallsPerSecond,
		maxWait,
		timeout(usual.timeout, timed),
	] as const);
}

export function rpcOptions<const Own extends readonly Field[]>(...own: Own) {
	const { concurrency: requests, timeout: wait } = USUAL.rpc;
	return optionsField([
		...own,
		batchSize,
		concurrency(requests),
		maxCallsPerSecond,
		maxRetries,
		maxWait,
		timeout(wait, FOR_AN_ANSWER),
	] as const);
}

interface TransportOptions {
	readonly batchSize: number;
	readonly concurrency: number;
	readonly maxCallsPerSecond: number;
	readonly maxRetries: number;
	readonly maxWait: number;
	readonly timeout: number;
}

/** Of the first item, for the whole run. */
export function transportOptions(
	context: NodeContext,
	protocol: keyof typeof USUAL,
): TransportOptions {
	const { options } = parameterReader(parameterSource(context), [rpcOptions()])(0);
	return {
		batchSize: batchSize.default,
		maxCallsPerSecond: maxCallsPerSecond.default,
		maxRetries: maxRetries.default,
		maxWait: maxWait.default,
		...USUAL[protocol],
		...options,
	};
}
