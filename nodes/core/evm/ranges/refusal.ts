import type { RequestFailure } from '../../errors/requestFailure';
import { isRecord } from '../../values/parseJson';
import type { BlockRange } from '../blockRange';

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

const BEHIND = /beyond (the )?current head|block is out of range|after last accepted block/;

/** Limits of another kind, which a smaller range does not help against. */
const OTHER_LIMIT =
	/\b(rate limit|per (second|minute|day|month)|quota|credits|compute units|invalid block range)\b|\b(max|many|of) (addresses|topics|parameters)\b|specify an address|rps limit/;

const CONTENTS =
	/returned? (more|too many)|returns too many|\b(max|too many|many|more than \d+) (results|logs|events|traces)\b|logs matched|response (is )?(size|too)|size (exceeded|limit)|body (is )?too|max results|time ?out|timed out|deadline exceeded|took too long|too expensive|\d bytes/;

const BLOCKS = /\b(range|ranges|span|distance|blocks|size)\b/;
const EXCESS =
	/exceed|\b(too|limit|limited|limits|max|maximum|greater|bigger|larger|smaller|wide|up to|at most|only|over|allowed|narrow|not supported)\b/;

/** What a failed search says of its range; undefined when it failed for another reason. */
export function rangeRefusal(failure: RequestFailure, range: BlockRange): RangeRefusal | undefined {
	const words = wordsOf(failure);
	if (BEHIND.test(words)) return { because: 'behind' };
	if (OTHER_LIMIT.test(words)) return undefined;
	const suggested = suggestedBlocks(words, failure, range);
	if (CONTENTS.test(words)) return { because: 'contents', blocks: suggested };
	if (suggested !== undefined || (BLOCKS.test(words) && EXCESS.test(words))) {
		return { because: 'blocks', blocks: suggested ?? namedBlocks(words, range) };
	}
	if (failure.httpCode === 413 || words === 'limit exceeded') return { because: 'contents' };
	return isLost(failure) ? { because: 'lost' } : undefined;
}

/** The connection, or a gateway in between, gave up: over a large search, or by chance. */
function isLost({ httpCode, retry }: RequestFailure): boolean {
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
