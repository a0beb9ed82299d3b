import { RequestFailure, type Retry } from '../errors/requestFailure';
import type { Stop } from './stop';
import {
	hasRetryTime,
	waitBeforeRetry,
	isRejectedByLimit,
	withRetryTime,
	type RetryLimits,
} from './retry';
import { Semaphore } from './concurrency';
import { RateLimit } from './rateLimit';

/** Seconds. */
export const USUAL_MAX_WAIT = 300;
/** A run gives up when everything was refused for this many milliseconds, or longer. */
const PATIENCE = 120_000;

interface Limits extends Omit<RetryLimits, 'maxWait'> {
	readonly concurrency: number;
	readonly maxWait?: number;
}

/** Keeps a run's requests polite: so many at once, no faster than the service allows, repeated where that helps. */
export class Pacer {
	readonly semaphore: Semaphore;
	readonly rateLimit: RateLimit;
	private readonly limits: RetryLimits;

	constructor(
		{ concurrency, maxRetries, maxWait = USUAL_MAX_WAIT }: Limits,
		private readonly stop: Stop,
	) {
		this.limits = { maxRetries, maxWait };
		this.semaphore = new Semaphore(concurrency, stop);
		this.rateLimit = new RateLimit(stop, Math.max(maxWait * 1000, PATIENCE));
	}

	/**
	 * Does a request, and does it again as long as that may help. What must happen only once is done again only when
	 * a limit turned it away and said when to come back.
	 */
	async call<T>(request: () => Promise<T>, nonIdempotent: boolean): Promise<T> {
		let attempt = 0;
		for (;;) {
			// What goes one after another is held back by its own waits alone.
			if (!this.semaphore.isIdle) await this.rateLimit.waitTurn(1);
			const outcome = await this.semaphore.run(() => attempted(request));
			if ('value' in outcome) {
				this.rateLimit.countAnswered(1);
				return outcome.value;
			}
			const { failure } = outcome;
			if (failure.retry?.because === 'limit') this.rateLimit.countRefused(1);
			const wait =
				nonIdempotent && !isRejectedByLimit(failure)
					? undefined
					: this.waitBefore(failure.retry, attempt);
			if (wait === undefined) throw withRetryTime(failure);
			await this.stop.pause(wait);
			if (!hasRetryTime(failure.retry)) attempt++;
		}
	}

	/** How long to wait before what failed is sent again; undefined when it is not. */
	waitBefore(retry: Retry | undefined, attempt: number, jitter?: number): number | undefined {
		if (retry?.because === 'limit' && this.rateLimit.isStuck) return undefined;
		return waitBeforeRetry(retry, attempt, this.limits, jitter);
	}
}

type Attempted<T> = { readonly value: T } | { readonly failure: RequestFailure };

async function attempted<T>(request: () => Promise<T>): Promise<Attempted<T>> {
	try {
		return { value: await request() };
	} catch (error) {
		if (error instanceof RequestFailure) return { failure: error };
		return await Promise.reject(error);
	}
}
