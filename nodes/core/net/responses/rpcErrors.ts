import { isRefusal, RequestFailure, type RetryReason } from '../../errors/requestFailure';
import { formatExcerpt } from '../../values/excerpt';
import { isRecord } from '../../values/parse';
import { isQuota, shortenMessage } from './response';
import { findMissingReason, findRevertData, isContractFailure } from './reverts';

const LIMIT_CODES: readonly unknown[] = [-32005, 429];
const RATE_LIMIT_PATTERN =
	/rate.?limit|\b(rps|throughput) limit|too many requests|(requests|calls|units) per second/i;

interface RpcError {
	readonly code?: unknown;
	readonly message?: unknown;
	readonly data?: unknown;
}

/** Converts a JSON-RPC error. The message begins with the node's own words. */
export function rpcError(what: string, error: unknown): RequestFailure {
	const known = toRpcError(error);
	const { code, message } = known;
	const words = formatErrorMessage(message);
	const reverted = findRevertData(error);
	const reason = reverted && findMissingReason(words, reverted);
	const more = reverted === undefined ? findDetails(words, known.data) : undefined;
	const details = [
		`${what} failed${code === undefined ? '' : ` with code ${formatExcerpt(code)}`}.`,
		...(more === undefined ? [] : [`Details: ${formatExcerpt(more)}`]),
		...(isSearchLimit(known) ? ['Ask for less at a time: fewer blocks, or fewer matches.'] : []),
	];
	return new RequestFailure(
		reason ? `${words.replace(/[.:]$/, '')}: ${shortenMessage(reason)}` : words,
		{
			description: details.join(' '),
			retry: getRpcRetryReason(known),
			answer: error,
		},
	);
}

/** At most this many entries of an error's data are shown. */
const MAX_DETAILS = 80;

/**
 * Returns the part of an error's data that its message does not contain. Some servers repeat the message in the data.
 */
function findDetails(words: string, data: unknown): unknown {
	const isNews = (value: unknown) =>
		typeof value === 'string'
			? !['', '0x'].includes(value) && !words.includes(value)
			: value !== null && value !== undefined;
	if (!isRecord(data)) return isNews(data) ? data : undefined;
	const news: Array<[string, unknown]> = [];
	for (const key in data) {
		if (key !== 'stack' && isNews(data[key])) news.push([key, data[key]]);
		if (news.length === MAX_DETAILS) break;
	}
	return news.length > 0 ? Object.fromEntries(news) : undefined;
}

/** Whether the request was rejected by a rate limit or a quota, and not because of its content. */
export function isLimit(error: unknown): boolean {
	const known = toRpcError(error);
	if (isQuota(formatErrorMessage(known.message))) return true;
	return LIMIT_CODES.includes(known.code) && !isSearchLimit(known) && !isGasLimit(known);
}

/** Whether a call was refused because it names more gas than a block or a transaction may use. */
function isGasLimit({ message, data }: RpcError): boolean {
	return getRetryTime(data) === undefined && /gas limit/i.test(formatErrorMessage(message));
}

/** Whether the words of a refusal name a rate limit or a quota, whatever the error code is. */
export function isLimitNamed(words: string): boolean {
	return RATE_LIMIT_PATTERN.test(words) || isQuota(words);
}

/** The codes of JSON-RPC for malformed requests and unknown methods. */
const REQUEST_ERROR_CODES: readonly unknown[] = [-32700, -32600, -32601, -32602];

/** Whether a refusal is about the transaction or the call, and not about the form of the request or a limit. */
export function isAboutTransaction(failure: unknown): failure is RequestFailure {
	if (!isRefusal(failure) || failure.maybeExecuted || isLimitNamed(failure.message)) return false;
	const { answer } = failure;
	return (
		isContractFailure(failure) || !(isRecord(answer) && REQUEST_ERROR_CODES.includes(answer.code))
	);
}

const OPEN_OUTCOME_PATTERN =
	/tim(e|ed)[ -]?out|deadline exceeded|internal (json-rpc |server )?error|\bEOF\b|connection (reset|refused|closed)|bad gateway|unavailable/i;

/**
 * Whether the words of a refusal mean that the node failed or was late. The transaction may then still be carried
 * out.
 */
export function isOutcomeOpen(words: string): boolean {
	return OPEN_OUTCOME_PATTERN.test(words);
}

/**
 * Whether the error means that a search is too large. Some nodes use the code of a rate limit for it, although
 * waiting does not help.
 */
function isSearchLimit({ code, message, data }: RpcError): boolean {
	if (!LIMIT_CODES.includes(code) || getRetryTime(data) !== undefined) return false;
	return findSearchLimit(formatErrorMessage(message).toLowerCase()) !== undefined;
}

function getRpcRetryReason(error: RpcError): RetryReason | undefined {
	const isWorthWaiting = isLimit(error) && !isQuota(formatErrorMessage(error.message));
	return isWorthWaiting ? { because: 'limit', after: getRetryTime(error.data) } : undefined;
}

function getRetryTime(data: unknown): number | undefined {
	return isRecord(data) ? parseDuration(data.try_again_in) : undefined;
}

function toRpcError(error: unknown): RpcError {
	return isRecord(error) ? error : { message: error };
}

function formatErrorMessage(message: unknown): string {
	const words = typeof message === 'string' ? shortenMessage(message.trim()) : '';
	return words === '' ? 'The chain node gave no reason' : words;
}

const UNIT_MS: Readonly<Record<string, number>> = {
	h: 3_600_000,
	m: 60_000,
	s: 1000,
	ms: 1,
	µs: 0.001,
	μs: 0.001,
	us: 0.001,
	ns: 0.000001,
};

const MAX_DURATION_CHARS = 40;
const DURATION_PART_PATTERN = /(\d+(?:\.\d*)?)(h|ms|µs|μs|us|ns|m|s)/y;

/** Parses a duration of Go such as `1m30s` or `560.27ms`, and returns milliseconds. */
export function parseDuration(given: unknown): number | undefined {
	if (typeof given !== 'string' || given === '' || given.length > MAX_DURATION_CHARS)
		return undefined;
	let milliseconds = 0;
	DURATION_PART_PATTERN.lastIndex = 0;
	while (DURATION_PART_PATTERN.lastIndex < given.length) {
		const [, amount, unit = ''] = DURATION_PART_PATTERN.exec(given) ?? [];
		if (amount === undefined) return undefined;
		milliseconds += Number(amount) * (UNIT_MS[unit] ?? 0);
	}
	return milliseconds;
}

/** Messages about limits for which a smaller search does not help. */
const OTHER_LIMIT_PATTERN =
	/\b(rate limit|per (second|minute|day|month)|quota|credits|compute units|invalid block range)\b|\b(max|many|of) (addresses|topics|parameters)\b|specify an address|rps limit/;

const CONTENT_LIMIT_PATTERN =
	/returned? (more|too many)|returns too many|\b(max|too many|many|more than \d+) (results|logs|events|traces)\b|logs matched|response (is )?(size|too)|size (exceeded|limit)|body (is )?too|max results|time ?out|timed out|deadline exceeded|took too long|too expensive|\d bytes/;

const BLOCK_RANGE_PATTERN = /\b(range|ranges|span|distance|blocks|size)\b/;
const EXCESS_PATTERN =
	/exceed|\b(too|limit|limited|limits|max|maximum|greater|bigger|larger|smaller|wide|up to|at most|only|over|allowed|narrow|not supported)\b/;

/**
 * Finds the limit of searches that a message in lower case names: `blocks` for the range, `contents` for the size of
 * the result. Nodes use some twenty wordings, and no error code has only this meaning.
 */
export function findSearchLimit(words: string): 'blocks' | 'contents' | undefined {
	if (OTHER_LIMIT_PATTERN.test(words)) return undefined;
	if (CONTENT_LIMIT_PATTERN.test(words)) return 'contents';
	return BLOCK_RANGE_PATTERN.test(words) && EXCESS_PATTERN.test(words) ? 'blocks' : undefined;
}
