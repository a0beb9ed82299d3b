import { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import type { RpcReader } from '../chain/reader';
import { isRecord, rethrow } from '../values/parse';
import { feltParser } from './felts';
import { sharedKey } from '../net/pacing/shared';

/** Nodes of Starknet have this prefix in the names of methods, as in `starknet_call`. */
const LIVE_PREFIX = 'starknet';
/** The error code for a method that the node does not have. */
const UNKNOWN_METHOD_CODE = -32601;

/** The prefixes of method names that the node does not know. All items of a run share this set. */
const UNKNOWN_PREFIXES = sharedKey('stark.unknownPrefixes', () => new Set<string>());

/**
 * Makes a reader that calls methods by names without a prefix, such as `getNonce`. If the node does not know a method
 * with the given prefix, the prefix of live nodes is tried, and remembered.
 */
export function createStarkNode(reader: RpcReader, prefix: string): RpcReader {
	const unknown = reader.shared(UNKNOWN_PREFIXES);
	return {
		shared: reader.shared,
		call: async (method, params, options) => {
			const callAs = async (name: string) =>
				await reader.call(`${name}_${method}`, params, options);
			if (unknown.has(prefix)) return await callAs(LIVE_PREFIX);
			return await callAs(prefix).catch(async (failure) => {
				if (getErrorCode(failure) !== UNKNOWN_METHOD_CODE || prefix === LIVE_PREFIX) throw failure;
				const answer = await callAs(LIVE_PREFIX).catch((second) => {
					throw getErrorCode(second) === UNKNOWN_METHOD_CODE ? failure : second;
				});
				unknown.add(prefix);
				return answer;
			});
		},
	};
}

/** Returns the error code in a node's answer. Returns undefined for any other failure. */
export function getErrorCode(failure: unknown): unknown {
	if (!(failure instanceof RequestFailure) || !isRecord(failure.answer)) return undefined;
	return failure.answer.code;
}

export const ERROR_CODES = {
	contractUnknown: 20,
	entryPointUnknown: 21,
	blockUnknown: 24,
	classUnknown: 28,
	transactionUnknown: 29,
	chunkTooBig: 31,
	tokenUnknown: 33,
	contractFailed: 40,
	executionFailed: 41,
	nonceInvalid: 52,
	alreadyWaiting: 59,
	unexpected: 63,
	internal: -32603,
} as const;

/** Returns the answer. Returns null if the node reports with this error code that the thing does not exist. */
export async function nullIfUnknown<T>(answer: Promise<T>, code: number): Promise<T | null> {
	return await answer.catch((failure) =>
		getErrorCode(failure) === code ? null : rethrow(failure),
	);
}

const parseChainId = feltParser('a chain ID');

export async function readChainId(reader: RpcReader): Promise<bigint> {
	return parseChainId(await reader.call('chainId', []));
}

/**
 * Reads the second number of the node's version, as in 8 for 0.8.1. The first number is 0. The form of answers
 * depends on it.
 */
export async function readMinorVersion(reader: RpcReader): Promise<number> {
	const version = await reader.call('specVersion', []);
	const [, minor] =
		/^v?0\.(\d{1,4})(?:\.|$)/.exec(typeof version === 'string' ? version : '') ?? [];
	if (minor === undefined || Number(minor) < OLDEST_MINOR_VERSION)
		throw invalidResponseError('a version from 0.7 to 0.10', version);
	return Number(minor);
}

const OLDEST_MINOR_VERSION = 7;
