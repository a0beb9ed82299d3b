import { RequestFailure, type Retry } from '../errors/requestFailure';
import type { Stop } from './stop';
import {
	hasRetryTime,
	isRejectedByLimit,
	retryDelay,
	withRetryTime,
	type RetryLimits,
} from './retry';
import { Semaphore } from './concurrency';
import { RateLimit } from './rateLimit';
import { Throttle } from './throttle';

/** Seconds. */
export const DEFAULT_MAX_WAIT = 300;
/** Milliseconds of nothing but refusals, or as many as `maxWait` if that is longer. */
const GIVE_UP_AFTER = 120_000;

interface Limits extends Omit<RetryLimits, 'maxWait'> {
	readonly concurrency: number;
	readonly maxCallsPerSecond?: number;
	readonly maxWait?: number;
}

/** Concurrency, rate limit and retries of a run's requests. */
export class Pacer {
	readonly semaphore: Semaphore;
	readonly rateLimit: RateLimit;
	/** Whoever sends passes through it, in the moment of sending. */
	readonly throttle: Throttle;
	private readonly limits: RetryLimits;

	constructor(
		{ concurrency, maxCallsPerSecond = 0, maxRetries, maxWait = DEFAULT_MAX_WAIT }: Limits,
		private readonly stop: Stop,
	) {
		this.limits = { maxRetries, maxWait };
		this.semaphore = new Semaphore(concurrency, stop);
		this.rateLimit = new RateLimit(stop, Math.max(maxWait * 1000, GIVE_UP_AFTER));
		this.throttle = new Throttle(maxCallsPerSecond, stop);
	}

	/** How many calls one request may have. */
	get maxCalls(): number {
		return Math.min(this.rateLimit.burst, this.throttle.maxCalls);
	}

	/** A non-idempotent request is retried only when a rate limit rejected it and said when to come back. */
	async call<T>(request: () => Promise<T>, nonIdempotent: boolean): Promise<T> {
		let attempt = 0;
		for (;;) {
			// Requests sent one at a time are paced by their own retry delays.
			if (!this.semaphore.isIdle) await this.rateLimit.waitTurn(1);
			const result = await this.semaphore.run(() => settled(request));
			if ('value' in result) {
				this.rateLimit.countAnswered(1);
				return result.value;
			}
			const { failure } = result;
			if (failure.retry?.because === 'limit') this.rateLimit.countRefused(1);
			const mayRetry = !nonIdempotent || isRejectedByLimit(failure);
			const delay = mayRetry ? this.retryDelay(failure.retry, attempt) : undefined;
			if (delay === undefined) throw withRetryTime(failure);
			await this.stop.pause(delay);
			if (!hasRetryTime(failure.retry)) attempt++;
		}
	}

	/** Undefined when there is to be no retry. */
	retryDelay(retry: Retry | undefined, attempt: number, jitter?: number): number | undefined {
		if (retry?.because === 'limit' && this.rateLimit.isStuck) return undefined;
		return retryDelay(retry, attempt, this.limits, jitter);
	}
}

type Settled<T> = { readonly value: T } | { readonly failure: RequestFailure };

/** Captures RequestFailure; rethrows the rest. */
async function settled<T>(request: () => Promise<T>): Promise<Settled<T>> {
	try {
		return { value: await request() };
	} catch (error) {
		if (error instanceof RequestFailure) return { failure: error };
		return await Promise.reject(error);
	}
}
