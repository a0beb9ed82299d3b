import { sleep } from 'n8n-workflow';

/** Long work in slices. n8n can do other work after each `yield`. */
export type Sliced<Result> = Generator<void, Result, void>;

/** Runs long work to its end. Between the slices, n8n can do other work. */
export async function runInSlices<Result>(work: Sliced<Result>): Promise<Result> {
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
		await sleep(0);
	}
}

/** Runs all slices without a pause, for work that is known to be short. */
export function runAtOnce<Result>(work: Sliced<Result>): Result {
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
	}
}

/** The milliseconds after which long work pauses, so that n8n can do other work. */
const MAX_HELD_MS = 20;

/** Maps a long list. In between, n8n can do other work. */
export async function mapWithPauses<T, Result>(
	list: readonly T[],
	make: (one: T) => Result,
): Promise<Result[]> {
	const pauses = new Pauses();
	const results: Result[] = [];
	for (const one of list) {
		results.push(make(one));
		await pauses.takeIfDue();
	}
	return results;
}

/**
 * Lets n8n do other work between small pieces of long work. It does not pause after each piece, because a pause takes
 * a millisecond.
 */
export class Pauses {
	private since = performance.now();

	async takeIfDue(): Promise<void> {
		if (performance.now() - this.since < MAX_HELD_MS) return;
		await sleep(0);
		this.since = performance.now();
	}
}
