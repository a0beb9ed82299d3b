import type { RequestFailure } from '../../errors/requestFailure';
import { findLargest } from '../../values/numbers';

/** The outcome of a batch, including the parts into which it may have been split. */
export interface BatchOutcome {
	/** The failure of a call that was sent alone. */
	readonly failure?: RequestFailure;
	/** The largest number of calls that were answered in one request. */
	readonly answered: number;
	/** The sizes of failed batches whose parts succeeded, if no batch of that size was answered. */
	readonly tooLarge: readonly number[];
}

/** An outcome that says nothing about the right size of batches. */
export const NO_SIZE_OUTCOME: BatchOutcome = { answered: 0, tooLarge: [] };

/** After this many full batches without a failure, a batch of twice the size is tried. */
const BATCHES_BEFORE_GROWTH = 20;

/**
 * Chooses the number of calls in a batch. After two failed batches the size is reduced, because one failure may be
 * due to a single call. After some complete batches, a larger size is tried. Each failed trial doubles the number of
 * batches before the next trial.
 */
export class BatchSize {
	private size: number;
	/** The size of the trial that is under way; 0 if there is none. */
	private trialSize = 0;
	/** How many full batches in a row were answered. */
	private wholeBatches = 0;
	private batchesBeforeGrowth = BATCHES_BEFORE_GROWTH;
	/** A size at which one batch has failed, perhaps because of its size. */
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

	/**
	 * Begins the trial of a larger size if a batch of this length exceeds the present size of batches. Returns whether
	 * it is a trial.
	 */
	beginTrial(length: number): boolean {
		if (!this.isUntried(length)) return false;
		this.trialSize = length;
		return true;
	}

	isUntried(length: number): boolean {
		return length > this.size;
	}

	/** Whether a batch is larger than now allowed, because the size was reduced after the batch was built. */
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

	/**
	 * Ends the trial of a larger batch size. After a success, the next trial follows at once, so that seven trials lead
	 * from batches of 1 call to batches of 100.
	 */
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

/** Combines the outcomes of the parts into which a failed batch was split. */
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
