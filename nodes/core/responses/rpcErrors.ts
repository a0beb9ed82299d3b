import { RequestFailure, type Retry } from '../errors/requestFailure';
import { excerpt } from '../values/excerpt';
import { isRecord } from '../values/read';
import { isQuota, shortened } from './response';
import { reasonBeyond, revertData } from './reverts';

const LIMIT_CODES: readonly unknown[] = [-32005, 429];
const RATE =
	/rate.?limit|\b(rps|throughput) limit|too many requests|(requests|calls|units) per second/i;

interface RpcError {
	readonly code?: unknown;
	readonly message?: unknown;
	readonly data?: unknown;
}

/** The node's own words come first. */
export function rpcFailure(what: string, error: unknown): RequestFailure {
	const known = asError(error);
	const { code, message } = known;
	const words = wordsOf(message);
	const reverted = revertData(error);
	const reason = reverted && reasonBeyond(words, reverted);
	const more = reverted === undefined ? beyond(words, known.data) : undefined;
	const details = [
		`${what} failed${code === undefined ? '' : ` with code ${excerpt(code)}`}.`,
		...(more === undefined ? [] : [`Details: ${excerpt(more)}`]),
		...(isSearch(known) ? ['Ask for less at a time: fewer blocks, or fewer matches.'] : []),
	];
	return new RequestFailure(
		reason ? `${words.replace(/[.:]$/, '')}: ${shortened(reason)}` : words,
		{
			description: details.join(' '),
			retry: retryFor(known),
			answer: error,
		},
	);
}

/** So many entries of an error's data are told. */
const MOST_TOLD = 80;

/** What the data of an error tells that its words do not; some servers repeat the words in it, and the place in their code. */
function beyond(words: string, data: unknown): unknown {
	const isNews = (value: unknown) =>
		typeof value === 'string'
			? !['', '0x'].includes(value) && !words.includes(value)
			: value !== null && value !== undefined;
	if (!isRecord(data)) return isNews(data) ? data : undefined;
	const news: Array<[string, unknown]> = [];
	for (const key in data) {
		if (key !== 'stack' && isNews(data[key])) news.push([key, data[key]]);
		if (news.length === MOST_TOLD) break;
	}
	return news.length > 0 ? Object.fromEntries(news) : undefined;
}

/** Whether it limits how much may be asked, not what. */
export function isLimit(error: unknown): boolean {
	const known = asError(error);
	if (isQuota(wordsOf(known.message))) return true;
	return LIMIT_CODES.includes(known.code) && !isSearch(known) && !isGas(known);
}

/** Or for a call that names more gas than a block, or a transaction, may use. */
function isGas({ message, data }: RpcError): boolean {
	return whenIn(data) === undefined && /gas limit/i.test(wordsOf(message));
}

/** Whether the words of a refusal name a limit of how much may be asked, whatever its code. */
export function namesLimit(words: string): boolean {
	return RATE.test(words) || isQuota(words);
}

/** Some nodes use the code of a rate limit for a search that is too large, which waiting does not mend. */
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

const MILLISECONDS: Readonly<Record<string, number>> = {
	h: 3_600_000,
	m: 60_000,
	s: 1000,
	ms: 1,
	µs: 0.001,
	μs: 0.001,
	us: 0.001,
	ns: 0.000001,
};

const LONGEST = 40;
const PART = /(\d+(?:\.\d*)?)(h|ms|µs|μs|us|ns|m|s)/y;

/** Milliseconds of a Go duration such as `1m30s` or `560.27ms`. */
export function duration(given: unknown): number | undefined {
	if (typeof given !== 'string' || given === '' || given.length > LONGEST) return undefined;
	let milliseconds = 0;
	PART.lastIndex = 0;
	while (PART.lastIndex < given.length) {
		const [, amount, unit = ''] = PART.exec(given) ?? [];
		if (amount === undefined) return undefined;
		milliseconds += Number(amount) * (MILLISECONDS[unit] ?? 0);
	}
	return milliseconds;
}

/** A smaller search does not help against these. */
const OTHER_LIMIT =
	/\b(rate limit|per (second|minute|day|month)|quota|credits|compute units|invalid block range)\b|\b(max|many|of) (addresses|topics|parameters)\b|specify an address|rps limit/;

const CONTENTS =
	/returned? (more|too many)|returns too many|\b(max|too many|many|more than \d+) (results|logs|events|traces)\b|logs matched|response (is )?(size|too)|size (exceeded|limit)|body (is )?too|max results|time ?out|timed out|deadline exceeded|took too long|too expensive|\d bytes/;

const BLOCKS = /\b(range|ranges|span|distance|blocks|size)\b/;
const EXCESS =
	/exceed|\b(too|limit|limited|limits|max|maximum|greater|bigger|larger|smaller|wide|up to|at most|only|over|allowed|narrow|not supported)\b/;

/**
 * Which limit of a search a lower-case error message names: the block range, or the size of the result. There are twenty
 * wordings, and no code that means it alone.
 */
export function searchLimitIn(words: string): 'blocks' | 'contents' | undefined {
	if (OTHER_LIMIT.test(words)) return undefined;
	if (CONTENTS.test(words)) return 'contents';
	return BLOCKS.test(words) && EXCESS.test(words) ? 'blocks' : undefined;
}
