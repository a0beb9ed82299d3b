import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { LIMITS } from '../../../credentials/limits';
import type { NodeContext } from '../context';
import {
	isBlank,
	parseBoolean,
	parseField,
	parseNumber,
	wholeNumberParser,
	InvalidValue,
} from '../values/parse';
import type { Field } from './field';
import { createParameterParser, createParameterSource } from './parameters';
import { raise } from '../errors/raise';

const batchSize = {
	...LIMITS.batchSize,
	parse: limitParser(LIMITS.batchSize),
} as const satisfies Field;

export function concurrencyField<const Default extends number>(usual: Default) {
	return {
		...LIMITS.concurrency,
		default: usual,
		parse: limitParser(LIMITS.concurrency),
	} as const satisfies Field;
}

/** The lowest rate that is accepted: one call in 100 seconds. */
const MIN_CALLS_PER_SECOND = 0.01;

export const maxCallsPerSecond = {
	...LIMITS.maxCallsPerSecond,
	parse: (given: unknown) => {
		const rate = parseNumber(given);
		const { maxValue } = LIMITS.maxCallsPerSecond.typeOptions;
		return rate === 0 || (rate >= MIN_CALLS_PER_SECOND && rate <= maxValue)
			? rate
			: raise(new InvalidValue(`0 or a number from ${MIN_CALLS_PER_SECOND} to ${maxValue}`));
	},
} as const satisfies Field;

export const maxRetries = {
	...LIMITS.maxRetries,
	parse: limitParser(LIMITS.maxRetries),
} as const satisfies Field;

export const maxWait = {
	...LIMITS.maxWait,
	parse: limitParser(LIMITS.maxWait),
} as const satisfies Field;

export function timeoutField<const Default extends number>(usual: Default, description: string) {
	return {
		...LIMITS.timeout,
		default: usual,
		description,
		parse: limitParser(LIMITS.timeout),
	} as const satisfies Field;
}

function limitParser({ typeOptions }: (typeof LIMITS)[keyof typeof LIMITS]) {
	return wholeNumberParser(typeOptions.minValue, typeOptions.maxValue);
}

/**
 * Builds the field Options. Request limits that a workflow stores apply even if the operation does not show their
 * fields.
 */
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

const ANSWER_TIMEOUT_TEXT = LIMITS.timeout.description;
const SILENCE_TIMEOUT_TEXT = 'How many milliseconds to wait while nothing is sent or received';

const PROTOCOL_DEFAULTS = {
	rest: { concurrency: 10, timeout: LIMITS.timeout.default },
	rpc: { concurrency: LIMITS.concurrency.default, timeout: LIMITS.timeout.default },
	upload: { concurrency: 2, timeout: 300_000 },
} as const;

/**
 * Builds the options that include the limits of requests. They are for the operations of the node Chain Platform, for
 * requests to any method of an API, and for triggers that poll a REST API. Other operations use `optionsField`, and
 * their limits come from the credential.
 */
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

/** Builds the options for operations that are sent at most once and never retried. */
export function atMostOnceOptions<const Own extends readonly Field[]>(...own: Own) {
	return optionsWithoutRetries(own, PROTOCOL_DEFAULTS.rest, ANSWER_TIMEOUT_TEXT);
}

/** Builds the options of uploads, which are never retried. Their timeout applies to times without progress. */
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

const rpcLimits = [
	batchSize,
	concurrencyField(PROTOCOL_DEFAULTS.rpc.concurrency),
	maxCallsPerSecond,
	maxRetries,
	maxWait,
	timeoutField(PROTOCOL_DEFAULTS.rpc.timeout, ANSWER_TIMEOUT_TEXT),
] as const;

export function rpcOptions<const Own extends readonly Field[]>(...own: Own) {
	return optionsField([...own, ...rpcLimits] as const);
}

interface TransportOptions {
	readonly batchSize: number;
	readonly concurrency: number;
	readonly maxCallsPerSecond: number;
	readonly maxRetries: number;
	readonly maxWait: number;
	readonly timeout: number;
}

/**
 * Reads the request limits of a run, from the options of the first item. Options take precedence over the limits in
 * the credential.
 */
export function parseTransportOptions(
	context: NodeContext,
	protocol: keyof typeof PROTOCOL_DEFAULTS,
	credential: ICredentialDataDecryptedObject,
): TransportOptions {
	const { options } = createParameterParser(createParameterSource(context), [rpcOptions()])(0);
	return {
		batchSize: batchSize.default,
		maxCallsPerSecond: maxCallsPerSecond.default,
		maxRetries: maxRetries.default,
		maxWait: maxWait.default,
		...PROTOCOL_DEFAULTS[protocol],
		...parseCredentialLimits(credential),
		...options,
	};
}

function parseCredentialLimits(
	credential: ICredentialDataDecryptedObject,
): Partial<TransportOptions> {
	const isSet = parseField('Set Limits of the credential', credential.setLimits, parseSwitch);
	if (!isSet) return {};
	const given = rpcLimits.filter(({ name }) => !isUsual(name, credential[name]));
	return Object.fromEntries(
		given.map(({ displayName, name, parse }) => [
			name,
			parseField<number>(`${displayName} of the credential`, credential[name], parse),
		]),
	);
}

/** Parses the switch Set Limits. Credentials that were stored before the switch existed count as off. */
function parseSwitch(given: unknown): boolean {
	return !isBlank(given) && parseBoolean(given);
}

/**
 * Whether the credential leaves a limit at its default. Concurrency 0 means that each API keeps its own default,
 * because JSON-RPC and other APIs have different defaults.
 */
function isUsual(name: keyof TransportOptions, given: unknown): boolean {
	return isBlank(given) || (name === 'concurrency' && (given === 0 || given === '0'));
}
