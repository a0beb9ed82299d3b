import type { RequestFailure } from '../errors/requestFailure';
import { findSearchLimit } from '../net/responses/rpcErrors';
import { findLargest } from '../values/numbers';
import { isRecord } from '../values/parse';
import type { BlockRange } from './blocks';

/** The reason why a node did not search a range of blocks, in cases in which another request may succeed. */
export interface RangeRefusal {
	/**
	 * `blocks`: the node never searches so many blocks. `contents`: the search found too much or took too long. `lost`:
	 * no answer came, perhaps for the same reason. `behind`: the node does not have the last block of the range yet.
	 */
	readonly because: 'blocks' | 'contents' | 'lost' | 'behind';
	/** The largest range in blocks that the node allows, if its message says so. */
	readonly blocks?: number;
}

const MAX_MESSAGE_CHARS = 1000;
/** The message with which some nodes refuse a search without a clear reason. */
const UNCLEAR_LIMIT_MESSAGE = 'limit exceeded';

const BEHIND_PATTERN = /beyond (the )?current head|block is out of range|after last accepted block/;

/** Finds out why a search was refused; undefined if the reason was not its range. */
export function findRangeRefusal(
	failure: RequestFailure,
	range: BlockRange,
): RangeRefusal | undefined {
	// A failure without an answer, a status or a reason to retry comes from this project's own checks. It says nothing
	// about the range.
	const isOurs = failure.answer === undefined && failure.httpCode === undefined;
	if (isOurs && !failure.retry) return undefined;
	const words = getErrorText(failure);
	if (BEHIND_PATTERN.test(words)) return { because: 'behind' };
	const because = findSearchLimit(words);
	const suggested = because && findSuggestedBlocks(words, failure, range);
	if (because === 'contents') return { because, blocks: suggested };
	if (because === 'blocks') return { because, blocks: suggested ?? findNamedLimit(words, range) };
	if (failure.httpCode === 413 || words === UNCLEAR_LIMIT_MESSAGE) return { because: 'contents' };
	return isLostAnswer(failure) ? { because: 'lost' } : undefined;
}

/**
 * Whether the connection broke or a gateway ended the request. The search may have been too large, or it happened by
 * chance.
 */
function isLostAnswer({ httpCode, retry }: RequestFailure): boolean {
	return httpCode === 500 || retry?.because === 'lost';
}

/** Returns the text of an error. Some nodes give the reason only in the error's `data`. */
function getErrorText({ message, answer }: RequestFailure): string {
	const data = isRecord(answer) ? answer.data : undefined;
	const more = data === undefined ? '' : ` ${JSON.stringify(data)}`;
	return `${message.slice(0, MAX_MESSAGE_CHARS)}${more.slice(0, MAX_MESSAGE_CHARS)}`.toLowerCase();
}

const BRACKETED_RANGE_PATTERN = /\[(0x[0-9a-f]{1,14}|\d{1,15}), ?(0x[0-9a-f]{1,14}|\d{1,15})\]/;
const DASHED_RANGE_PATTERN = /range (\d{1,15})-(\d{1,15})/;

/** Returns the number of blocks in the smaller range that the node suggests. */
function findSuggestedBlocks(
	words: string,
	{ answer }: RequestFailure,
	{ from, to }: BlockRange,
): number | undefined {
	const data = isRecord(answer) && isRecord(answer.data) ? answer.data : {};
	const [, first, last] =
		BRACKETED_RANGE_PATTERN.exec(words) ?? DASHED_RANGE_PATTERN.exec(words) ?? [];
	const blocks = Number(last ?? data.to) - Number(first ?? data.from) + 1;
	return blocks > 0 && blocks <= to - from ? blocks : undefined;
}

const LIMIT_NUMBER_PATTERN = /^\d[\d,]{0,14}k?$/;

/** Returns the largest number in the message that may be a limit below the range's number of blocks. */
function findNamedLimit(words: string, { from, to }: BlockRange): number | undefined {
	const parts = words.split(/[^\w,-]+|,(?!\d)/);
	const numbers = parts.filter((part) => LIMIT_NUMBER_PATTERN.test(part)).map(parseLimitNumber);
	const limits = numbers.filter((one) => one > 0 && one < to - from && one !== from && one !== to);
	return limits.length > 0 ? findLargest(limits) : undefined;
}

function parseLimitNumber(digits: string): number {
	const value = Number(digits.replace(/[,k]/g, ''));
	return digits.endsWith('k') ? value * 1000 : value;
}
