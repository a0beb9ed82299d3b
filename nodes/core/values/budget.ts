import { InvalidValue } from './parse';

/** A limit on the work for an input, because a megabyte of small values can block n8n for seconds. */
export class Budget {
	constructor(
		private left: number,
		private readonly wanted: string,
	) {}

	/** Is called before the work. Throws InvalidValue. */
	spend(amount: number): void {
		this.left -= amount;
		if (this.left < 0) throw new InvalidValue(this.wanted);
	}
}

/** More than any transaction or request of a node may hold. */
const MAX_VALUES = 100_000;

/** Counts all arguments, including those in lists and tuples, and the words of long ones. */
export function createValuesBudget(): Budget {
	return new Budget(
		MAX_VALUES,
		`at most ${MAX_VALUES} values, with those in lists and tuples, where 32 bytes of a text count as one`,
	);
}
