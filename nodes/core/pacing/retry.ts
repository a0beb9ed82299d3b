import { withAdvice, type RequestFailure, type Retry } from '../errors/requestFailure';

const SHORTEST_WAIT = 10;
const FIRST_BACKOFF = 500;
const LONGEST_BACKOFF = 16_000;

export interface RetryLimits {
	readonly maxRetries: number;
	/** How long to wait at most when the service says when to come back, in seconds. */
	readonly maxWait: number;
}

/**
 * How long to wait before a failed request is sent again; undefined when it is not.
 * Waiting for a limit that says when to come back does not use up retries.
 */
export function waitBeforeRetry(
	retry: Retry | undefined,
	attempt: number,
	{ maxRetries, maxWait }: RetryLimits,
	jitter = Math.random(),
): number | undefined {
	if (!retry) return undefined;
	if (hasRetryTime(retry)) {
		return retry.after <= maxWait * 1000 ? Math.max(retry.after, SHORTEST_WAIT) : undefined;
	}
	return attempt < maxRetries
		? withJitter(doubled(attempt, FIRST_BACKOFF, LONGEST_BACKOFF), jitter)
		: undefined;
}

/** Twice as long from attempt to attempt, up to the longest. */
export function doubled(attempt: number, first: number, longest: number): number {
	return Math.min(first * 2 ** attempt, longest);
}

/** Somewhere in the second half of it, so that many clients do not come back together. */
export function withJitter(wait: number, jitter = Math.random()): number {
	return wait / 2 + jitter * (wait / 2);
}

export function hasRetryTime(
	retry: Retry | undefined,
): retry is { readonly because: 'limit'; readonly after: number } {
	return retry?.because === 'limit' && retry.after !== undefined;
}

/** Turned away with the time to come back: it was not carried out, and may be sent again whatever it does. */
export function isRejectedByLimit({ retry, maybeExecuted }: RequestFailure): boolean {
	return hasRetryTime(retry) && !maybeExecuted;
}

/** The failure of a request that is not sent again, with the time to come back where the service said one. */
export function withRetryTime(failure: RequestFailure, now = Date.now()): RequestFailure {
	const { retry } = failure;
	if (!hasRetryTime(retry) || retry.after === Infinity) return failure;
	const at = new Date(Math.min(now + retry.after, LAST_DATE)).toISOString();
	return withAdvice(
		failure,
		`The service asks you to come back in ${span(retry.after)}, at ${at}. The option 'Max Wait' sets how long to wait.`,
	);
}

const LAST_DATE = 8.64e15;

const UNITS = [
	['day', 86_400],
	['hour', 3600],
	['minute', 60],
	['second', 1],
] as const;

/** The milliseconds in the largest unit that fits, rounded up. */
function span(milliseconds: number): string {
	const seconds = Math.ceil(milliseconds / 1000);
	const [unit, size] = UNITS.find((one) => seconds >= 2 * one[1]) ?? UNITS[3];
	const count = Math.ceil(seconds / size);
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The wait that a Retry-After header asks for: seconds or a date. */
export function retryAfter(header: unknown, now = Date.now()): number | undefined {
	const value = String(header ?? '')
		.slice(0, 64)
		.trim();
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
