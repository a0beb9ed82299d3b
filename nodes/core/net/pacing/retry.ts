import { withAdvice, type RequestFailure, type RetryReason } from '../../errors/requestFailure';

const MIN_DELAY_MS = 10;
/** The delay for services that repeatedly name a retry time in the past. */
const DELAY_FOR_A_PAST_TIME_MS = 250;
const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 16_000;

export interface RetryLimits {
	readonly maxRetries: number;
	/** The longest time in seconds that the service may ask to wait. */
	readonly maxWait: number;
}

/**
 * Returns the milliseconds before a failed request is sent again; undefined if it is not sent again. If a rate limit
 * names a time, the retry does not count as an attempt.
 */
export function getRetryDelay(
	retry: RetryReason | undefined,
	attempt: number,
	{ maxRetries, maxWait }: RetryLimits,
	jitter = Math.random(),
): number | undefined {
	if (!retry) return undefined;
	if (hasRetryTime(retry)) {
		const least = retry.after > 0 ? MIN_DELAY_MS : DELAY_FOR_A_PAST_TIME_MS;
		return retry.after <= maxWait * 1000 ? Math.max(retry.after, least) : undefined;
	}
	return attempt < maxRetries
		? withJitter(computeBackoff(attempt, INITIAL_BACKOFF_MS, MAX_BACKOFF_MS), jitter)
		: undefined;
}

export function computeBackoff(attempt: number, first: number, longest: number): number {
	return Math.min(first * 2 ** attempt, longest);
}

/** Returns a random time between half of `wait` and `wait`. */
export function withJitter(wait: number, jitter = Math.random()): number {
	return wait / 2 + jitter * (wait / 2);
}

export function hasRetryTime(
	retry: RetryReason | undefined,
): retry is { readonly because: 'limit'; readonly after: number } {
	return retry?.because === 'limit' && retry.after !== undefined;
}

/**
 * Whether a rate limit rejected the request before it was carried out, so that it may be sent again. This is certain
 * only if the limit names a time. With `countsOnce`, a repeated request has no further effect, so no certainty is
 * needed.
 */
export function isRejectedByLimit(
	{ retry, maybeExecuted }: RequestFailure,
	countsOnce = false,
): boolean {
	return retry?.because === 'limit' && (countsOnce || hasRetryTime(retry)) && !maybeExecuted;
}

/** Adds the retry time to the failure's description, if the service named one. */
export function withRetryTime(failure: RequestFailure, now = Date.now()): RequestFailure {
	const { retry } = failure;
	if (!hasRetryTime(retry) || retry.after === Infinity) return failure;
	const at = new Date(Math.min(now + retry.after, MAX_DATE_MS)).toISOString();
	return withAdvice(
		failure,
		`The service asks you to come back in ${formatDuration(retry.after)}, at ${at}. 'Max Wait' sets how long to wait: in the options, or in the limits of the credential.`,
	);
}

const MAX_DATE_MS = 8.64e15;

const TIME_UNITS = [
	['day', 86_400],
	['hour', 3600],
	['minute', 60],
	['second', 1],
] as const;

/** Formats milliseconds in a suitable unit, such as `3 minutes`. The number is rounded up. */
function formatDuration(milliseconds: number): string {
	const seconds = Math.ceil(milliseconds / 1000);
	const [unit, size] = TIME_UNITS.find((one) => seconds >= 2 * one[1]) ?? TIME_UNITS[3];
	const count = Math.ceil(seconds / size);
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The error of a Go server that needed too much time. It comes with status 500. */
const OUT_OF_TIME_PATTERN = /context deadline exceeded/i;

/** Returns why a request may be sent again, judged by the response's status, Retry-After header and words. */
export function getRetryReason(
	status: number,
	header: unknown,
	words = '',
): RetryReason | undefined {
	const after = parseRetryAfter(header);
	if (status === 500 && OUT_OF_TIME_PATTERN.test(words)) return { because: 'lost' };
	const isLimited = status === 429 || (status === 503 && after !== undefined);
	if (isLimited) return { because: 'limit', after };
	return [502, 503, 504].includes(status) ? { because: 'lost' } : undefined;
}

/** Parses a Retry-After header, which has seconds or a date. Returns milliseconds. */
export function parseRetryAfter(header: unknown, now = Date.now()): number | undefined {
	const value = String(header ?? '')
		.slice(0, 64)
		.trim();
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
