import type { RequestFailure } from '../errors/requestFailure';
import { searchLimitIn } from '../responses/rpcErrors';
import { isRecord } from '../values/read';
import type { BlockRange } from './blocks';

/** Why a node did not search a range of blocks, where asking in another way helps. */
export interface RangeRefusal {
	/**
	 * `blocks`: it never searches so many. `contents`: it would have found too much, or taken too long. `lost`: no answer
	 * came, perhaps for the same reason. `behind`: it does not have the last of these blocks yet.
	 */
	readonly because: 'blocks' | 'contents' | 'lost' | 'behind';
	/** How many blocks it would search, where it tells. */
	readonly blocks?: number;
}

const LONGEST = 1000;
/** Some nodes say no more than this. */
const UNCLEAR_LIMIT = 'limit exceeded';

const BEHIND = /beyond (the )?current head|block is out of range|after last accepted block/;

/** What a failed search says of its range; undefined when it failed for another reason. */
export function rangeRefusal(failure: RequestFailure, range: BlockRange): RangeRefusal | undefined {
	// What was found wrong with an answer is not what the node said of the search.
	const isOurs = failure.answer === undefined && failure.httpCode === undefined;
	if (isOurs && !failure.retry) return undefined;
	const words = wordsOf(failure);
	if (BEHIND.test(words)) return { because: 'behind' };
	const because = searchLimitIn(words);
	const suggested = because && suggestedBlocks(words, failure, range);
	if (because === 'contents') return { because, blocks: suggested };
	if (because === 'blocks') return { because, blocks: suggested ?? namedBlocks(words, range) };
	if (failure.httpCode === 413 || words === UNCLEAR_LIMIT) return { because: 'contents' };
	return isLostAnswer(failure) ? { because: 'lost' } : undefined;
}

/** The connection, or a gateway in between, gave up: over a large search, or by chance. */
function isLostAnswer({ httpCode, retry }: RequestFailure): boolean {
	return httpCode === 500 || retry?.because === 'lost';
}

/** Some nodes keep the reason in the data of their error. */
function wordsOf({ message, answer }: RequestFailure): string {
	const data = isRecord(answer) ? answer.data : undefined;
	const more = data === undefined ? '' : ` ${JSON.stringify(data)}`;
	return `${message.slice(0, LONGEST)}${more.slice(0, LONGEST)}`.toLowerCase();
}

const BRACKETS = /\[(0x[0-9a-f]{1,14}|\d{1,15}), ?(0x[0-9a-f]{1,14}|\d{1,15})\]/;
const DASHED = /range (\d{1,15})-(\d{1,15})/;

/** How many blocks a range spans that the node proposes instead. */
function suggestedBlocks(
	words: string,
	{ answer }: RequestFailure,
	{ from, to }: BlockRange,
): number | undefined {
	const data = isRecord(answer) && isRecord(answer.data) ? answer.data : {};
	const [, first, last] = BRACKETS.exec(words) ?? DASHED.exec(words) ?? [];
	const blocks = Number(last ?? data.to) - Number(first ?? data.from) + 1;
	return blocks > 0 && blocks <= to - from ? blocks : undefined;
}

const NUMBER = /^\d[\d,]{0,14}k?$/;

/** The largest number in the words that can be a limit which the range exceeds. */
function namedBlocks(words: string, { from, to }: BlockRange): number | undefined {
	const parts = words.split(/[^\w,-]+|,(?!\d)/);
	const numbers = parts.filter((part) => NUMBER.test(part)).map(numberOf);
	const limits = numbers.filter((one) => one > 0 && one < to - from && one !== from && one !== to);
	return limits.length > 0 ? Math.max(...limits) : undefined;
}

function numberOf(digits: string): number {
	const value = Number(digits.replace(/[,k]/g, ''));
	return digits.endsWith('k') ? value * 1000 : value;
}
