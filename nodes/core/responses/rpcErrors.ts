import { RequestFailure, type Retry } from '../errors/requestFailure';
import { excerpt } from '../values/excerpt';
import { toQuantity } from '../values/numbers';
import { isRecord } from '../values/read';
import { isQuota, shortened } from './response';

const LIMIT_CODES: readonly unknown[] = [-32005, 429];

interface RpcError {
	readonly code?: unknown;
	readonly message?: unknown;
	readonly data?: unknown;
}

/** The node's own words come first. */
export function rpcFailure(what: string, error: unknown): RequestFailure {
	const known = asError(error);
	const { code, message, data } = known;
	const words = wordsOf(message);
	const reason = revertReason(data);
	const details = [
		`${what} failed${code === undefined ? '' : ` with code ${excerpt(code)}`}.`,
		...(reason === undefined && data !== undefined ? [`Details: ${excerpt(data)}`] : []),
		...(isSearch(known) ? ['Ask for less at a time: fewer blocks, or fewer matches.'] : []),
	];
	return new RequestFailure(
		reason && !words.includes(reason) ? `${words}: ${shortened(reason)}` : words,
		{ description: details.join(' '), retry: retryFor(known), answer: error },
	);
}

/** Whether it limits how much may be asked, not what. */
export function isLimit(error: unknown): boolean {
	const known = asError(error);
	if (isQuota(wordsOf(known.message))) return true;
	return LIMIT_CODES.includes(known.code) && !isSearch(known);
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

const ERROR_STRING = '0x08c379a0';
const PANIC = '0x4e487b71';
const WORD = 64;
const MOST_READ = 10_000;

/** Solidity's panic codes. */
const PANICS: Readonly<Record<string, string>> = {
	'0x1': 'an assertion failed',
	'0x11': 'arithmetic overflow or underflow',
	'0x12': 'division by zero',
	'0x21': 'not a value of the enum',
	'0x22': 'badly encoded storage bytes',
	'0x31': 'pop on an empty array',
	'0x32': 'array index out of bounds',
	'0x41': 'out of memory',
	'0x51': 'call of an uninitialized function',
};

/** Error(string), Panic(uint256), or the data as it is; undefined if it is no revert data. */
export function revertReason(data: unknown): string | undefined {
	if (typeof data !== 'string' || data.length % 2 !== 0 || data === '0x') return undefined;
	const lower = data.slice(0, MOST_READ).toLowerCase();
	if (!/^0x[0-9a-f]*$/.test(lower)) return undefined;
	const known = lower.startsWith(ERROR_STRING) ? errorString(lower) : panic(lower);
	return known ?? `data ${lower}`;
}

/** An offset, a length, the bytes. */
function errorString(data: string): string | undefined {
	const words = data.slice(ERROR_STRING.length);
	const length = Number(`0x${words.slice(WORD, 2 * WORD)}`);
	const text = words.slice(2 * WORD, 2 * WORD + length * 2);
	return length > 0 && text.length === length * 2 ? Buffer.from(text, 'hex').toString() : undefined;
}

function panic(data: string): string | undefined {
	if (!data.startsWith(PANIC) || data.length < PANIC.length + WORD) return undefined;
	const code = toQuantity(BigInt(`0x${data.slice(PANIC.length, PANIC.length + WORD)}`));
	const meaning = PANICS[code];
	return `panic ${code}${meaning ? ` (${meaning})` : ''}`;
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
