import type { Budget } from '../../values/budget';

/** The error for felts from a chain that do not match the types of an ABI. */
export class DecodingError extends Error {}

/** A felt can be part of at most this many values (without units), because types are nested to a limited depth. */
const MAX_VALUES_PER_FELT = 40;
/** A reader returns at most this many values that take no felts, such as units. */
const MAX_EMPTY_VALUES = 1000;

/** Reads a list of felts from the first to the last. */
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

	/** Counts a value against the limit. Types without felts could otherwise produce endless values. */
	countValue(): void {
		if (--this.valuesLeft < 0) throw new DecodingError('it holds too many values without data');
	}

	/**
	 * Takes the length of a list. Throws if fewer felts are left than the items need, at `itemFelts` felts or more for
	 * each.
	 */
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

/** Collects the felts of the values that are written. The budget limits how many values. */
export interface FeltWriter {
	readonly felts: bigint[];
	readonly budget: Budget;
}
