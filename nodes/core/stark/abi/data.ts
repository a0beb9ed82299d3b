import type { Budget } from '../../values/budget';

/** Felts from a chain do not match the types of an ABI. */
export class DecodingError extends Error {}

/** Types nest to a bounded depth, so a felt takes part in no more values than this, units aside. */
const MAX_VALUES_PER_FELT = 40;
/** Values that take no felts, such as units, are bounded by this. */
const MAX_EMPTY_VALUES = 1000;

/** Felts that are read from the first to the last. */
export class FeltReader {
	private at = 0;
	private valuesLeft: number;

	constructor(private readonly felts: readonly bigint[]) {
		this.valuesLeft = felts.length * MAX_VALUES_PER_FELT + MAX_EMPTY_VALUES;
	}

	get left(): number {
		return this.felts.length - this.at;
	}

	take(): bigint {
		const felt = this.felts[this.at++];
		if (felt === undefined) throw new DecodingError('the data ends too early');
		return felt;
	}

	/** Counts a value: types without felts must not multiply. */
	countValue(): void {
		if (--this.valuesLeft < 0) throw new DecodingError('it holds too many values without data');
	}

	/** Takes the length of a list whose items take at least `itemFelts`. */
	takeLength(itemFelts: number): number {
		const length = this.take();
		const most = itemFelts > 0 ? this.left / itemFelts : this.valuesLeft;
		if (length > BigInt(Math.floor(most)))
			throw new DecodingError('a length is larger than the data');
		return Number(length);
	}

	throwUnlessAtEnd(): void {
		if (this.left > 0) throw new DecodingError(`${this.left} felts are left over`);
	}
}

/** Felts that are written one after another, of a bounded number of values. */
export interface FeltWriter {
	readonly felts: bigint[];
	readonly budget: Budget;
}
