import type { RequestFailure } from '../../errors/requestFailure';
import { findLargest } from '../../values/numbers';

/** The outcome of a batch, or of the parts in which it was sent again. */
export interface BatchOutcome {
	/** The failure of a call that was alone in its request. */
	readonly failure?: RequestFailure;
	/** The most calls that one request answered. */
	readonly answered: number;
	/** Sizes of batches that failed although their parts did not, while no batch as large was answered. */
	readonly tooLarge: readonly number[];
}

/** An outcome that says nothing about the size. */
export const NO_SIZE_OUTCOME: BatchOutcome = { answered: 0, tooLarge: [] };

/** After this many full batches without failure, twice the size is tried. */
const BATCHES_BEFORE_GROWTH = 20;

/**
 * Decides how many calls a batch may have. A size is given up when a second batch fails at it, because one may have
 * failed for a call in it. The size grows again after some batches without failure, one trial at a time, and each
 * failed trial doubles the number of batches before the next.
 */
export class BatchSize {
	private size: number;
	/** The size of the trial batch. */
	private trialSize = 0;
	/** How many full batches succeeded in a row. */
	private wholeBatches = 0;
	private batchesBeforeGrowth = BATCHES_BEFORE_GROWTH;
	/** A size at which one batch seems to have failed. */
	private suspectSize = Infinity;

	constructor(private readonly maxCalls: number) {
		this.size = maxCalls;
	}

	/** The size of the next batch. */
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

	/** Whether batches have become smaller since this one was built. */
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

	/** After success the next trial follows at once: seven lead from 1 to 100. */
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

/** Merges the outcomes of the parts of a failed batch. */
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
