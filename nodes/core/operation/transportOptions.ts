import type { NodeContext } from '../context';
import { DEFAULT_MAX_WAIT_SECONDS } from '../net/pacing/pacer';
import { parseNumber, wholeNumberParser, InvalidValue } from '../values/parse';
import type { Field } from './field';
import { createParameterParser, createParameterSource } from './parameters';
import { raise } from '../errors/raise';

const batchSize = {
	displayName: 'Batch Size',
	name: 'batchSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1000 },
	default: 100,
	description: 'How many calls may travel in one request; 1 sends each alone',
	parse: wholeNumberParser(1, 1000),
} as const satisfies Field;

export function concurrencyField<const Default extends number>(usual: Default) {
	return {
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: usual,
		description: 'How many requests may be under way at once',
		parse: wholeNumberParser(1, 100),
	} as const satisfies Field;
}

/** The bounds of `maxCallsPerSecond`: one call in a hundred seconds is the least that makes sense. */
const [MIN_CALLS_PER_SECOND, MAX_CALLS_PER_SECOND] = [0.01, 10_000];

export const maxCallsPerSecond = {
	displayName: 'Max Calls per Second',
	name: 'maxCallsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: MAX_CALLS_PER_SECOND },
	default: 0,
	description: 'How many calls a second at most, with retries; 0 is no limit',
	parse: (given: unknown) => {
		const rate = parseNumber(given);
		return rate === 0 || (rate >= MIN_CALLS_PER_SECOND && rate <= MAX_CALLS_PER_SECOND)
			? rate
			: raise(
					new InvalidValue(`0 or a number from ${MIN_CALLS_PER_SECOND} to ${MAX_CALLS_PER_SECOND}`),
				);
	},
} as const satisfies Field;

export const maxRetries = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 20 },
	default: 4,
	description: 'How many times a failed request is sent again',
	parse: wholeNumberParser(0, 20),
} as const satisfies Field;

export const maxWait = {
	displayName: 'Max Wait',
	name: 'maxWait',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 86_400 },
	default: DEFAULT_MAX_WAIT_SECONDS,
	description: 'How many seconds to wait at most for a rate limit',
	parse: wholeNumberParser(0, 86_400),
} as const satisfies Field;

export function timeoutField<const Default extends number>(usual: Default, description: string) {
	return {
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3_600_000 },
		default: usual,
		description,
		parse: wholeNumberParser(1, 3_600_000),
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

const ANSWER_TIMEOUT_TEXT = 'How many milliseconds to wait for an answer';
const SILENCE_TIMEOUT_TEXT = 'How many milliseconds to wait while nothing is sent or received';

const PROTOCOL_DEFAULTS = {
	rest: { concurrency: 10, timeout: 30_000 },
	rpc: { concurrency: 4, timeout: 30_000 },
	upload: { concurrency: 2, timeout: 300_000 },
} as const;

export function restOptions<const Own extends readonly Field[]>(...own: Own) {
	const { concurrency: requests, timeout: wait } = PROTOCOL_DEFAULTS.rest;
	const timeLimit = timeoutField(wait, ANSWER_TIMEOUT_TEXT);
	return optionsField([
		...own,
		concurrencyField(requests),
		maxCallsPerSecond,
		maxRetries,
		maxWait,
		timeLimit,
	] as const);
}

/** The options of operations that are sent at most once, without retries. */
export function atMostOnceOptions<const Own extends readonly Field[]>(...own: Own) {
	return optionsWithoutRetries(own, PROTOCOL_DEFAULTS.rest, ANSWER_TIMEOUT_TEXT);
}

/** The options of uploads, without retries; the timeout counts while nothing moves. */
export function uploadOptions<const Own extends readonly Field[]>(...own: Own) {
	return optionsWithoutRetries(own, PROTOCOL_DEFAULTS.upload, SILENCE_TIMEOUT_TEXT);
}

function optionsWithoutRetries<const Own extends readonly Field[]>(
	own: Own,
	usual: { readonly concurrency: number; readonly timeout: number },
	timed: string,
) {
	return optionsField([
		...own,
		concurrencyField(usual.concurrency),
		maxCallsPerSecond,
		maxWait,
		timeoutField(usual.timeout, timed),
	] as const);
}

export function rpcOptions<const Own extends readonly Field[]>(...own: Own) {
	const { concurrency: requests, timeout: wait } = PROTOCOL_DEFAULTS.rpc;
	return optionsField([
		...own,
		batchSize,
		concurrencyField(requests),
		maxCallsPerSecond,
		maxRetries,
		maxWait,
		timeoutField(wait, ANSWER_TIMEOUT_TEXT),
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

/** Parses the options of the first item, for the whole run. */
export function parseTransportOptions(
	context: NodeContext,
	protocol: keyof typeof PROTOCOL_DEFAULTS,
): TransportOptions {
	const { options } = createParameterParser(createParameterSource(context), [rpcOptions()])(0);
	return {
		batchSize: batchSize.default,
		maxCallsPerSecond: maxCallsPerSecond.default,
		maxRetries: maxRetries.default,
		maxWait: maxWait.default,
		...PROTOCOL_DEFAULTS[protocol],
		...options,
	};
}
