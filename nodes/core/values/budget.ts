import { InvalidValue } from './parse';

/** Limits the work for an input, because 1 MB of small values could block n8n for seconds. */
export class Budget {
	constructor(
		private left: number,
		private readonly wanted: string,
	) {}

	/** Counts work before it is done. Throws InvalidValue if the limit is exceeded. */
	spend(amount: number): void {
		this.left -= amount;
		if (this.left < 0) throw new InvalidValue(this.wanted);
	}
}

/** The largest number of values. No transaction or request of a node can contain more. */
const MAX_VALUES = 100_000;

/**
 * Creates a limit for the arguments of a call. Values in lists and tuples are counted, and so is each 32-byte word of
 * a long value.
 */
export function createValuesBudget(): Budget {
	return new Budget(
		MAX_VALUES,
		`at most ${MAX_VALUES} values, with those in lists and tuples, where 32 bytes of a text count as one`,
	);
}
