import { createHash, randomBytes } from 'crypto';
import type { Family } from '../values/families';

/** The lowest bits of a payment's mark, as many as the signed bytes have room for. */
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
 * Makes the mark of a payment. With a payment ID, the mark is computed from the ID, so that it is the same in every
 * run. Without an ID, it is random. Equal payments with different marks have different signed bytes.
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

/** Finds the smallest number that is at least `least` and ends in the lowest `bits` bits of the mark. */
export function raiseToBits(least: bigint, mark: bigint, bits: number): bigint {
	return least + takeBits(mark - least, bits);
}

/** Whether two marks are equal in the bits that both of them contain. */
export function isSameMark(one: CarriedMark, other: CarriedMark): boolean {
	const bits = Math.min(one.bits, other.bits);
	return bits > 0 && takeBits(one.value, bits) === takeBits(other.value, bits);
}

/**
 * A price contains at least this many bits of its mark. Higher bits may be lost when the price rises, so they are not
 * compared.
 */
const SURE_BITS = 30;

/** Whether the signed bytes carry this mark. */
export function carriesMark(carried: CarriedMark, { value }: PaymentMark): boolean {
	return isSameMark(carried, { value, bits: SURE_BITS });
}

/** The smallest and the largest number of lowest bits of a price that may be replaced by bits of a mark. */
export interface PriceBits {
	readonly least: number;
	readonly most: number;
}

/**
 * A price keeps this many of its highest bits, so that the mark raises it by less than a 512th. Low prices may rise
 * by more.
 */
const KEPT_PRICE_BITS = 10;

/** Counts how many bits of a mark a price can carry. */
export function countPriceBits(price: bigint, { least, most }: PriceBits): number {
	return Math.min(Math.max(price.toString(2).length - KEPT_PRICE_BITS, least), most);
}

/** Raises a price so that it ends in bits of the mark. Longer prices contain more bits of the mark. */
export function markPrice(price: bigint, mark: bigint, room: PriceBits): bigint {
	for (let bits = countPriceBits(price, room); ; bits++) {
		const raised = raiseToBits(price, mark, bits);
		if (countPriceBits(raised, room) <= bits) return raised;
	}
}
