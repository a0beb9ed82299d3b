import { RequestFailure } from '../errors/requestFailure';
import type { Stop } from './stop';
import { saysWhen, waitBeforeRetry } from './retry';
import { Semaphore } from './semaphore';
import { RateLimit } from './rateLimit';

/** Keeps a run's requests polite: so many at once, no faster than the service allows, repeated where that helps. */
export class Pacer {
	private readonly semaphore: Semaphore;
	private readonly rateLimit: RateLimit;

	constructor(
		private readonly limits: { readonly concurrency: number; readonly maxRetries: number },
		private readonly stop: Stop,
	) {
		this.semaphore = new Semaphore(limits.concurrency, stop);
		this.rateLimit = new RateLimit(stop);
	}

	/** Does a request, and does it again as long as that may help, unless it must happen only once. */
	async call<T>(request: () => Promise<T>, once: boolean): Promise<T> {
		let attempt = 0;
		for (;;) {
			await this.rateLimit.waitTurn(1);
			const outcome = await this.semaphore.run(() => attempted(request));
			if ('value' in outcome) {
				this.rateLimit.countAnswered(1);
				return outcome.value;
			}
			await this.waitFor(outcome.failure, attempt, once);
			if (!saysWhen(outcome.failure.retry)) attempt++;
		}
	}

	private async waitFor(failure: RequestFailure, attempt: number, once: boolean): Promise<void> {
		if (failure.retry?.because === 'limit') this.rateLimit.countRefused(1);
		const wait = waitBeforeRetry(failure.retry, attempt, this.limits.maxRetries);
		if (once || wait === undefined || this.rateLimit.isStuck) throw failure;
		await this.stop.pause(wait);
	}
}

type Outcome<T> = { readonly value: T } | { readonly failure: RequestFailure };

async function attempted<T>(request: () => Promise<T>): Promise<Outcome<T>> {
	try {
		return { value: await request() };
	} catch (error) {
		if (error instanceof RequestFailure) return { failure: error };
		return await Promise.reject(error);
	}
}
