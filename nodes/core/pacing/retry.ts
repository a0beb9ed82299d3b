import type { Retry } from '../errors/requestFailure';

const LONGEST_WAIT = 60_000;
const SHORTEST_WAIT = 10;
const FIRST_BACKOFF = 500;
const LONGEST_BACKOFF = 16_000;

/**
 * How long to wait before a failed request is sent again; undefined when it is not.
 * Waiting for a limit that says when to come back does not use up retries.
 */
export function waitBeforeRetry(
	retry: Retry | undefined,
	attempt: number,
	maxRetries: number,
	jitter = Math.random(),
): number | undefined {
	if (!retry) return undefined;
	if (retry.because === 'limit' && retry.after !== undefined) {
		return retry.after <= LONGEST_WAIT ? Math.max(retry.after, SHORTEST_WAIT) : undefined;
	}
	return attempt < maxRetries ? backoff(attempt, jitter) : undefined;
}

/** Doubles from attempt to attempt, with jitter, so that many clients do not come back together. */
function backoff(attempt: number, jitter: number): number {
	const full = Math.min(FIRST_BACKOFF * 2 ** attempt, LONGEST_BACKOFF);
	return full / 2 + jitter * (full / 2);
}

export function saysWhen(retry: Retry | undefined): boolean {
	return retry?.because === 'limit' && retry.after !== undefined;
}

/** The wait that a Retry-After header asks for: seconds or a date. */
export function retryAfter(header: unknown, now = Date.now()): number | undefined {
	const value = String(header ?? '').trim();
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
