import { sleep } from 'n8n-workflow';

/** Long work that yields between its slices. */
export type Sliced<Result> = Generator<void, Result, void>;

/** Runs long work to its end. Between the slices, all else that n8n does gets its turn. */
export async function runInSlices<Result>(work: Sliced<Result>): Promise<Result> {
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
		await sleep(0);
	}
}

/** Runs work to its end where it is known to be short. */
export function runAtOnce<Result>(work: Sliced<Result>): Result {
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
	}
}

/** Work that holds n8n up for longer than this is interrupted where it can be, in milliseconds. */
const MAX_HELD_MS = 20;

/** Maps a long list, while all else that n8n does gets its turn. */
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

/** Gives n8n its turn between small pieces of work, but not after each of them: a turn takes a millisecond. */
export class Pauses {
	private since = performance.now();

	async takeIfDue(): Promise<void> {
		if (performance.now() - this.since < MAX_HELD_MS) return;
		await sleep(0);
		this.since = performance.now();
	}
}
