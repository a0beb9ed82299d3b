import { isQuota } from './answer';
import { RequestFailure, type Retry } from '../errors/requestFailure';
import { duration } from './duration';
import { isRecord } from '../values/parseJson';
import { excerpt } from '../values/excerpt';
import { revertReason } from './revertReason';
import { searchLimitIn } from './searchLimit';

const LIMIT_EXCEEDED = -32005;
const LONGEST = 1000;

interface RpcError {
	readonly code?: unknown;
	readonly message?: unknown;
	readonly data?: unknown;
}

/** What a JSON-RPC error means, in the node's own words first. */
export function rpcFailure(what: string, error: unknown): RequestFailure {
	const { code, message, data } = asError(error);
	const words = wordsOf(message);
	const reason = revertReason(data);
	const details = reason === undefined && data !== undefined ? ` Details: ${excerpt(data)}` : '';
	return new RequestFailure(reason && !words.includes(reason) ? `${words}: ${reason}` : words, {
		description: `${what} failed${code === undefined ? '' : ` with code ${String(code)}`}.${details}`,
		retry: retryFor(asError(error)),
		answer: error,
	});
}

/** Whether the error speaks of how much the user may ask, not of what was asked. */
export function isLimit(error: unknown): boolean {
	const given = asError(error);
	return isRateLimit(given) || isQuota(wordsOf(given.message));
}

function retryFor(error: RpcError): Retry | undefined {
	if (!isRateLimit(error) || isQuota(wordsOf(error.message))) return undefined;
	return { because: 'limit', after: comeBackIn(error) };
}

/** Searches that find too much are refused with this code too, and will be again. */
function isRateLimit(error: RpcError): boolean {
	if (error.code !== LIMIT_EXCEEDED) return false;
	const words = wordsOf(error.message).slice(0, LONGEST).toLowerCase();
	return comeBackIn(error) !== undefined || searchLimitIn(words) === undefined;
}

function comeBackIn({ data }: RpcError): number | undefined {
	return isRecord(data) ? duration(data.try_again_in) : undefined;
}

function asError(error: unknown): RpcError {
	return isRecord(error) ? error : { message: error };
}

function wordsOf(message: unknown): string {
	return typeof message === 'string' && message.trim() !== ''
		? message.trim()
		: 'The node gave no reason';
}
