import type { RequestFailure } from '../../errors/requestFailure';
import { findLargest } from '../../values/numbers';

/** What came of a batch, or of the parts in which it was sent again. */
export interface BatchOutcome {
	/** Of a call that failed in a request of its own. */
	readonly failure?: RequestFailure;
	/** The most calls that were answered in one request. */
	readonly answered: number;
	/** Of batches that failed though their parts did not, while nothing as large was answered. */
	readonly tooLarge: readonly number[];
}

/** The outcome of a batch that says nothing of its size. */
export const NO_SIZE_OUTCOME: BatchOutcome = { answered: 0, tooLarge: [] };

/** After so many full batches without trouble, one with twice as many calls is tried. */
const BATCHES_BEFORE_GROWTH = 20;

/**
 * How many calls a batch may have. A size is given up when a second batch fails for it: one may have failed for a call
 * in it. It grows again after a while without trouble, by one batch at a time, and each growth that fails doubles the
 * while to the next.
 */
export class BatchSize {
	private size: number;
	/** Of the batch that tries more. */
	private trialSize = 0;
	/** Full batches in a row. */
	private wholeBatches = 0;
	private batchesBeforeGrowth = BATCHES_BEFORE_GROWTH;
	/** What one batch has failed for, as it seems. */
	private suspectSize = Infinity;

	constructor(private readonly maxCalls: number) {
		this.size = maxCalls;
	}

	/** Of the next batch. */
	get nextSize(): number {
		const isTrialDue = this.wholeBatches >= this.batchesBeforeGrowth && this.trialSize === 0;
		return isTrialDue ? Math.min(this.size * 2, this.maxCalls) : this.size;
	}

	get takesNoBatches(): boolean {
		return this.size === 1;
	}

	/** Whether a batch of this size is a trial. */
	beginTrial(length: number): boolean {
		if (!this.isUntried(length)) return false;
		this.trialSize = length;
		return true;
	}

	isUntried(length: number): boolean {
		return length > this.size;
	}

	/** The batch was made before others of its size failed. */
	isTooLarge(length: number): boolean {
		return length > Math.max(this.size, this.trialSize);
	}

	recordOutcome(length: number, outcome: BatchOutcome, isTrial: boolean): void {
		if (isTrial) this.trialSize = 0;
		if (outcome.answered === 0 && !outcome.failure) return;
		const isWhole = outcome.answered >= length;
		if (isTrial) this.endTrial(length, isWhole);
		else if (isWhole) this.countWhole(length);
		else this.countFailure(outcome);
	}

	shrinkTo(size: number): void {
		this.size = Math.max(1, Math.min(this.size, size));
		this.wholeBatches = 0;
		this.suspectSize = Infinity;
	}

	/** The next one follows at once: from 1 to 100 it takes seven. */
	private endTrial(length: number, isWhole: boolean): void {
		if (isWhole) this.size = Math.max(this.size, length);
		this.batchesBeforeGrowth = isWhole ? BATCHES_BEFORE_GROWTH : this.batchesBeforeGrowth * 2;
		this.wholeBatches = isWhole ? BATCHES_BEFORE_GROWTH : 0;
	}

	private countWhole(length: number): void {
		if (length >= this.suspectSize) this.suspectSize = Infinity;
		if (length >= this.size) this.wholeBatches++;
	}

	private countFailure({ failure, answered, tooLarge: [first] }: BatchOutcome): void {
		this.wholeBatches = 0;
		if (failure) return;
		if (first === undefined) this.shrinkTo(answered * 2);
		else if (this.suspectSize === Infinity) this.suspectSize = first;
		else this.shrinkTo(answered);
	}
}

/** The outcome of a batch that failed, by those of its parts. */
export function mergeOutcomes(
	length: number,
	parts: ReadonlyArray<{ readonly length: number; readonly outcome: BatchOutcome }>,
): BatchOutcome {
	const outcomes = parts.map(({ outcome }) => outcome);
	const answered = findLargest(outcomes.map((one) => one.answered));
	const isWhole = parts.every((part) => part.outcome.answered >= part.length);
	const failed = isWhole ? [length] : outcomes.flatMap(({ tooLarge }) => tooLarge);
	return {
		failure: outcomes.find(({ failure }) => failure)?.failure,
		answered,
		tooLarge: failed.filter((size) => size > answered),
	};
}
