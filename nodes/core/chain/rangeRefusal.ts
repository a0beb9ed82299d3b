import type { RequestFailure } from '../errors/requestFailure';
import { findSearchLimit } from '../net/responses/rpcErrors';
import { findLargest } from '../values/numbers';
import { isRecord } from '../values/parse';
import type { BlockRange } from './blocks';

/** Why a node did not search a range of blocks, if another request may succeed. */
export interface RangeRefusal {
	/**
	 * `blocks`: it never searches this many. `contents`: it would have found too much, or taken too long. `lost`: no
	 * answer came, perhaps for the same reason. `behind`: it does not have the last of these blocks yet.
	 */
	readonly because: 'blocks' | 'contents' | 'lost' | 'behind';
	/** How many blocks the node would search, if its message has a number. */
	readonly blocks?: number;
}

const MAX_MESSAGE_CHARS = 1000;
/** Some nodes give no other reason. */
const UNCLEAR_LIMIT_MESSAGE = 'limit exceeded';

const BEHIND_PATTERN = /beyond (the )?current head|block is out of range|after last accepted block/;

/** What a failed search says about its range; undefined when it failed for another reason. */
export function findRangeRefusal(
	failure: RequestFailure,
	range: BlockRange,
): RangeRefusal | undefined {
	// An answer that this code found invalid is no statement of the node about the range.
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

/** The connection, or a gateway in between, ended the request: because of a large search, or by chance. */
function isLostAnswer({ httpCode, retry }: RequestFailure): boolean {
	return httpCode === 500 || retry?.because === 'lost';
}

/** Some nodes keep the reason in the data of their error. */
function getErrorText({ message, answer }: RequestFailure): string {
	const data = isRecord(answer) ? answer.data : undefined;
	const more = data === undefined ? '' : ` ${JSON.stringify(data)}`;
	return `${message.slice(0, MAX_MESSAGE_CHARS)}${more.slice(0, MAX_MESSAGE_CHARS)}`.toLowerCase();
}

const BRACKETED_RANGE_PATTERN = /\[(0x[0-9a-f]{1,14}|\d{1,15}), ?(0x[0-9a-f]{1,14}|\d{1,15})\]/;
const DASHED_RANGE_PATTERN = /range (\d{1,15})-(\d{1,15})/;

/** The width of the smaller range that the node suggests. */
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

/** The largest number in the message that can be a limit which the range exceeds. */
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
