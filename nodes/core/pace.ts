import { RequestFailure } from './failure';
import type { Halt } from './halt';
import { saysWhen, waitBeforeRetry } from './retry';
import { Slots } from './slots';
import { Tempo } from './tempo';

/** Keeps a run's requests polite: so many at once, no faster than the service allows, repeated where that helps. */
export class Pace {
	private readonly slots: Slots;
	private readonly tempo: Tempo;

	constructor(
		private readonly limits: { readonly concurrency: number; readonly maxRetries: number },
		private readonly halt: Halt,
	) {
		this.slots = new Slots(limits.concurrency, halt);
		this.tempo = new Tempo(halt);
	}

	/** Does a request, and does it again as long as that may help, unless it must happen only once. */
	async call<T>(request: () => Promise<T>, once: boolean): Promise<T> {
		let attempt = 0;
		for (;;) {
			await this.tempo.turn(1);
			const outcome = await this.slots.use(() => attempted(request));
			if ('value' in outcome) {
				this.tempo.answered(1);
				return outcome.value;
			}
			await this.waitFor(outcome.failure, attempt, once);
			if (!saysWhen(outcome.failure.retry)) attempt++;
		}
	}

	private async waitFor(failure: RequestFailure, attempt: number, once: boolean): Promise<void> {
		if (failure.retry?.because === 'limit') this.tempo.refused(1);
		const wait = waitBeforeRetry(failure.retry, attempt, this.limits.maxRetries);
		if (once || wait === undefined || this.tempo.isStuck) throw failure;
		await this.halt.pause(wait);
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
