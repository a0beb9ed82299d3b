import { LIMITS } from '../../../../credentials/limits';
import { RequestFailure, type RetryReason } from '../../errors/requestFailure';
import type { Stop } from './stop';
import {
	hasRetryTime,
	isRejectedByLimit,
	getRetryDelay,
	withRetryTime,
	type RetryLimits,
} from './retry';
import { Semaphore } from './concurrency';
import { RateLimit } from './rateLimit';
import { Throttle } from './throttle';
import { rethrow } from '../../values/parse';

/** If all calls are refused for this long, in milliseconds, a run gives up. A larger `maxWait` takes its place. */
const GIVE_UP_AFTER_MS = 120_000;

interface PacerLimits extends Omit<RetryLimits, 'maxWait'> {
	readonly concurrency: number;
	readonly maxCallsPerSecond?: number;
	readonly maxWait?: number;
}

/** Controls the concurrency, the rate limit and the retries of all requests of a run. */
export class Pacer {
	readonly semaphore: Semaphore;
	readonly rateLimit: RateLimit;
	/** Limits the number of calls per second, as the user chose. */
	readonly throttle: Throttle;
	private readonly limits: RetryLimits;

	constructor(
		{
			concurrency,
			maxCallsPerSecond = 0,
			maxRetries,
			maxWait = LIMITS.maxWait.default,
		}: PacerLimits,
		private readonly stop: Stop,
	) {
		this.limits = { maxRetries, maxWait };
		this.semaphore = new Semaphore(concurrency, stop);
		this.rateLimit = new RateLimit(stop, Math.max(maxWait * 1000, GIVE_UP_AFTER_MS));
		this.throttle = new Throttle(maxCallsPerSecond, stop);
	}

	/** How many calls one request may contain. */
	get maxRequestCalls(): number {
		return Math.min(this.rateLimit.burst, this.throttle.maxRequestCalls);
	}

	/**
	 * Sends a request, with retries. With `atMostOnce`, it is sent again only if a rate limit rejected it and named a
	 * time. With `countsOnce`, a repetition has no further effect, so the rate limit need not name a time.
	 */
	async call<T>(request: () => Promise<T>, atMostOnce: boolean, countsOnce = false): Promise<T> {
		let attempt = 0;
		for (;;) {
			// If no other request is under way, the retry delays alone control the pace.
			if (!this.semaphore.isIdle) await this.rateLimit.waitTurn(1);
			const result = await this.semaphore.run(() => catchFailure(request));
			if ('value' in result) {
				this.rateLimit.countAnswered(1);
				return result.value;
			}
			const { failure } = result;
			if (failure.retry?.because === 'limit') this.rateLimit.countRefused(1);
			const mayRetry = !atMostOnce || isRejectedByLimit(failure, countsOnce);
			const delay = mayRetry ? this.getRetryDelay(failure.retry, attempt) : undefined;
			if (delay === undefined) throw withRetryTime(failure);
			await this.stop.pause(delay);
			if (!hasRetryTime(failure.retry)) attempt++;
		}
	}

	/** Returns the milliseconds before a call is sent again; undefined if it must not be sent again. */
	getRetryDelay(
		retry: RetryReason | undefined,
		attempt: number,
		jitter?: number,
	): number | undefined {
		if (retry?.because === 'limit' && this.rateLimit.isStuck) return undefined;
		return getRetryDelay(retry, attempt, this.limits, jitter);
	}
}

type SettledCall<T> = { readonly value: T } | { readonly failure: RequestFailure };

/** Captures RequestFailure; rethrows the rest. */
async function catchFailure<T>(request: () => Promise<T>): Promise<SettledCall<T>> {
	try {
		return { value: await request() };
	} catch (error) {
		return error instanceof RequestFailure ? { failure: error } : rethrow(error);
	}
}
