import { createHash, randomBytes } from 'crypto';
import type { Family } from '../values/families';

/**
 * The lowest bits of a payment's mark, as many as fit into the signed bytes. A mark is a number that identifies the
 * payment.
 */
export interface CarriedMark {
	readonly value: bigint;
	readonly bits: number;
}

/**
 * A number in the signed bytes of a payment. It distinguishes the payment from others with the same receiver and
 * amount.
 */
export interface PaymentMark {
	readonly value: bigint;
	/** Whether the mark was computed from a payment ID, so that it is the same in other executions. */
	readonly isShared: boolean;
}

const MARK_BYTES = 32;

/**
 * Makes the mark of a payment, a number that goes into its signed bytes. With a payment ID, the mark is computed from
 * the ID, so that it is the same in every run. Without an ID, it is random.
 */
export function makeMark(family: Family, paymentId: string): PaymentMark {
	const isShared = paymentId !== '';
	const text = JSON.stringify(['payment mark', family, paymentId]);
	const bytes = isShared ? createHash('sha256').update(text).digest() : randomBytes(MARK_BYTES);
	return { value: BigInt(`0x${bytes.toString('hex')}`), isShared };
}

/** Returns the lowest bits of a number. */
export function takeBits(value: bigint, bits: number): bigint {
	return BigInt.asUintN(bits, value);
}

/** Finds the smallest number of at least `least` whose lowest `bits` bits are those of `mark`. */
export function raiseToBits(least: bigint, mark: bigint, bits: number): bigint {
	return least + takeBits(mark - least, bits);
}

/** Whether two marks, the numbers that identify payments, are equal in the bits that both contain. */
export function isSameMark(one: CarriedMark, other: CarriedMark): boolean {
	const bits = Math.min(one.bits, other.bits);
	return bits > 0 && takeBits(one.value, bits) === takeBits(other.value, bits);
}

/**
 * How many bits of a payment's mark (its identifying number) a gas price always contains. Higher bits may be lost when
 * the price is raised later, so they are not compared.
 */
const SURE_BITS = 30;

/** Whether the signed bytes carry this mark. */
export function carriesMark(carried: CarriedMark, { value }: PaymentMark): boolean {
	return isSameMark(carried, { value, bits: SURE_BITS });
}

/**
 * How many of the lowest bits of a gas price may be replaced by a payment's mark (its identifying number): at least and
 * at most.
 */
export interface PriceBits {
	readonly least: number;
	readonly most: number;
}

/**
 * How many of the highest bits of a gas price stay unchanged when a payment's mark (its identifying number) is written
 * into it. The mark raises the price by less than a 512th. Low prices may rise by more.
 */
const KEPT_PRICE_BITS = 10;

/** Counts how many bits of a mark a price can carry. */
export function countPriceBits(price: bigint, { least, most }: PriceBits): number {
	return Math.min(Math.max(price.toString(2).length - KEPT_PRICE_BITS, least), most);
}

/**
 * Raises a gas price so that its lowest bits are those of a payment's mark (its identifying number). A higher price has
 * room for more bits.
 */
export function markPrice(price: bigint, mark: bigint, room: PriceBits): bigint {
	for (let bits = countPriceBits(price, room); ; bits++) {
		const raised = raiseToBits(price, mark, bits);
		if (countPriceBits(raised, room) <= bits) return raised;
	}
}
