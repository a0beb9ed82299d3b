import { withAdvice, type RequestFailure, type RetryReason } from '../../errors/requestFailure';

const MIN_DELAY_MS = 10;
/** Some services name a time that is over already, again and again. */
const DELAY_FOR_A_PAST_TIME_MS = 250;
const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 16_000;

export interface RetryLimits {
	readonly maxRetries: number;
	/** The longest wait that the service may ask for, in seconds. */
	readonly maxWait: number;
}

/**
 * The milliseconds until a failed request is sent again; undefined when it is not. A rate limit that says when to come
 * back costs no attempt.
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

/** Returns between half of the wait and all of it. */
export function withJitter(wait: number, jitter = Math.random()): number {
	return wait / 2 + jitter * (wait / 2);
}

export function hasRetryTime(
	retry: RetryReason | undefined,
): retry is { readonly because: 'limit'; readonly after: number } {
	return retry?.because === 'limit' && retry.after !== undefined;
}

/**
 * Whether the request was certainly not carried out, so that even a non-idempotent one may be sent again. This is
 * certain if the rate limit says when to come back. It need not be certain for a request that takes effect once,
 * however often it arrives (`countsOnce`).
 */
export function isRejectedByLimit(
	{ retry, maybeExecuted }: RequestFailure,
	countsOnce = false,
): boolean {
	return retry?.because === 'limit' && (countsOnce || hasRetryTime(retry)) && !maybeExecuted;
}

/** Adds the time to come back to the failure, if the service gave one. */
export function withRetryTime(failure: RequestFailure, now = Date.now()): RequestFailure {
	const { retry } = failure;
	if (!hasRetryTime(retry) || retry.after === Infinity) return failure;
	const at = new Date(Math.min(now + retry.after, MAX_DATE_MS)).toISOString();
	return withAdvice(
		failure,
		`The service asks you to come back in ${formatDuration(retry.after)}, at ${at}. 'Max Wait' sets how long to wait: in the options, or in the limits of the node's credential.`,
	);
}

const MAX_DATE_MS = 8.64e15;

const TIME_UNITS = [
	['day', 86_400],
	['hour', 3600],
	['minute', 60],
	['second', 1],
] as const;

/** Formats milliseconds in the largest unit that fits, rounded up. */
function formatDuration(milliseconds: number): string {
	const seconds = Math.ceil(milliseconds / 1000);
	const [unit, size] = TIME_UNITS.find((one) => seconds >= 2 * one[1]) ?? TIME_UNITS[3];
	const count = Math.ceil(seconds / size);
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** A server in Go says this of a question that took it too long, with status 500. */
const OUT_OF_TIME_PATTERN = /context deadline exceeded/i;

/** Why a request may be sent again after a response with this status, Retry-After header and words. */
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

/** Parses a Retry-After header, in seconds or as a date, to milliseconds. */
export function parseRetryAfter(header: unknown, now = Date.now()): number | undefined {
	const value = String(header ?? '')
		.slice(0, 64)
		.trim();
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
