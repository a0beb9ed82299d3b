import { isQuota } from './answer';
import { RequestFailure, type Retry } from '../errors/requestFailure';
import { duration } from './duration';
import { isRecord } from '../values/parseJson';
import { excerpt } from '../values/excerpt';
import { revertReason } from './revertReason';
import { searchLimitIn } from './searchLimit';
import { shortened } from './serviceMessage';

const LIMIT_CODES: readonly unknown[] = [-32005, 429];

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
	const details = [
		`${what} failed${code === undefined ? '' : ` with code ${excerpt(code)}`}.`,
		...(reason === undefined && data !== undefined ? [`Details: ${excerpt(data)}`] : []),
		...(isSearch(asError(error))
			? ['Ask for less at a time: fewer blocks, or fewer matches.']
			: []),
	];
	return new RequestFailure(
		reason && !words.includes(reason) ? `${words}: ${shortened(reason)}` : words,
		{ description: details.join(' '), retry: retryFor(asError(error)), answer: error },
	);
}

/** Whether the error speaks of how much the user may ask, not of what was asked. */
export function isLimit(error: unknown): boolean {
	const { code, message } = asError(error);
	if (isQuota(wordsOf(message))) return true;
	return LIMIT_CODES.includes(code) && !isSearch(asError(error));
}

/** Some give the code of a limit to a search that spans or finds too much, which no waiting mends. */
function isSearch({ code, message, data }: RpcError): boolean {
	if (!LIMIT_CODES.includes(code) || whenIn(data) !== undefined) return false;
	return searchLimitIn(wordsOf(message).toLowerCase()) !== undefined;
}

function retryFor(error: RpcError): Retry | undefined {
	const isWorthWaiting = isLimit(error) && !isQuota(wordsOf(error.message));
	return isWorthWaiting ? { because: 'limit', after: whenIn(error.data) } : undefined;
}

function whenIn(data: unknown): number | undefined {
	return isRecord(data) ? duration(data.try_again_in) : undefined;
}

function asError(error: unknown): RpcError {
	return isRecord(error) ? error : { message: error };
}

function wordsOf(message: unknown): string {
	const words = typeof message === 'string' ? shortened(message.trim()) : '';
	return words === '' ? 'The node gave no reason' : words;
}
