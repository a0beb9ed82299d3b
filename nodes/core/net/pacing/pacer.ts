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

/** After so many milliseconds in which all calls were refused, a run gives up. A longer `maxWait` takes its place. */
const GIVE_UP_AFTER_MS = 120_000;

interface PacerLimits extends Omit<RetryLimits, 'maxWait'> {
	readonly concurrency: number;
	readonly maxCallsPerSecond?: number;
	readonly maxWait?: number;
}

/** Concurrency, rate limit and retries of a run's requests. */
export class Pacer {
	readonly semaphore: Semaphore;
	readonly rateLimit: RateLimit;
	/** Every request passes through the throttle when it is sent. */
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

	/** How many calls one request may have. */
	get maxRequestCalls(): number {
		return Math.min(this.rateLimit.burst, this.throttle.maxRequestCalls);
	}

	/**
	 * With `atMostOnce`, a request is sent again only if a rate limit rejected it and said when to come back. With
	 * `countsOnce`, the limit need not say when.
	 */
	async call<T>(request: () => Promise<T>, atMostOnce: boolean, countsOnce = false): Promise<T> {
		let attempt = 0;
		for (;;) {
			// Requests that are sent one at a time are paced by their own retry delays.
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

	/** Returns undefined when the call is not to be retried. */
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
