import { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import type { RpcReader } from '../chain/reader';
import { isRecord, rethrow } from '../values/parse';
import { feltParser } from './felts';
import { sharedKey } from '../net/pacing/shared';

/** The prefix of the methods on live nodes. */
const LIVE_PREFIX = 'starknet';
/** The code of a method that a node does not have. */
const UNKNOWN_METHOD_CODE = -32601;

/** The prefixes that the node does not know. All items of a run share it. */
const UNKNOWN_PREFIXES = sharedKey('stark.unknownPrefixes', () => new Set<string>());

/**
 * A node that is called by methods without a prefix, such as `getNonce`. A method that it does not know by this prefix is
 * asked by that of live nodes, which is remembered.
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

/** The code of a node's error; undefined for any other failure. */
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

/** The answer, or null where the node says by this code that there is nothing. */
export async function nullIfUnknown<T>(answer: Promise<T>, code: number): Promise<T | null> {
	return await answer.catch((failure) =>
		getErrorCode(failure) === code ? null : rethrow(failure),
	);
}

const parseChainId = feltParser('a chain ID');

export async function readChainId(reader: RpcReader): Promise<bigint> {
	return parseChainId(await reader.call('chainId', []));
}

/** The second number of a version such as 0.8.1, whose first is 0: the shapes of answers follow it. */
export async function readMinorVersion(reader: RpcReader): Promise<number> {
	const version = await reader.call('specVersion', []);
	const [, minor] =
		/^v?0\.(\d{1,4})(?:\.|$)/.exec(typeof version === 'string' ? version : '') ?? [];
	if (minor === undefined || Number(minor) < OLDEST_MINOR_VERSION)
		throw invalidResponseError('a version from 0.7 to 0.10', version);
	return Number(minor);
}

const OLDEST_MINOR_VERSION = 7;
