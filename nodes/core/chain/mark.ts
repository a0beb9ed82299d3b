import { createHash, randomBytes } from 'crypto';
import type { Family } from '../values/families';

/** The part of a mark that signed bytes carry: its lowest bits, as many as fit. */
export interface CarriedMark {
	readonly value: bigint;
	readonly bits: number;
}

/** The mark that distinguishes a payment from equal ones. */
export interface PaymentMark {
	readonly value: bigint;
	/** Whether the mark is computed from a payment ID, so that equal payments of other executions get the same mark. */
	readonly isShared: boolean;
}

const MARK_BYTES = 32;

/**
 * Makes the mark of a payment, of which its signed bytes carry the lowest bits: the same for an equal payment ID, wherever it
 * is made, and a random one without an ID. So equal payments with other IDs, or without, have other bytes.
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

/** Finds the least number that is not below another one and ends in these bits of a mark. */
export function raiseToBits(least: bigint, mark: bigint, bits: number): bigint {
	return least + takeBits(mark - least, bits);
}

/** Whether two marks agree in the bits that both carry. */
export function isSameMark(one: CarriedMark, other: CarriedMark): boolean {
	const bits = Math.min(one.bits, other.bits);
	return bits > 0 && takeBits(one.value, bits) === takeBits(other.value, bits);
}

/** There are a billion marks. A rising price keeps this many bits; the bits above them have no meaning. */
const SURE_BITS = 30;

/** Whether the carried bits belong to this mark. */
export function carriesMark(carried: CarriedMark, { value }: PaymentMark): boolean {
	return isSameMark(carried, { value, bits: SURE_BITS });
}

/** How many of a price's lowest bits a mark uses. */
export interface PriceBits {
	readonly least: number;
	readonly most: number;
}

/** The mark raises a price by less than a 512th, except a low price. */
const KEPT_PRICE_BITS = 10;

/** How many bits of a mark a price carries. */
export function countPriceBits(price: bigint, { least, most }: PriceBits): number {
	return Math.min(Math.max(price.toString(2).length - KEPT_PRICE_BITS, least), most);
}

/** Changes a price so that it ends in a mark. A longer price can carry more bits. */
export function markPrice(price: bigint, mark: bigint, room: PriceBits): bigint {
	for (let bits = countPriceBits(price, room); ; bits++) {
		const raised = raiseToBits(price, mark, bits);
		if (countPriceBits(raised, room) <= bits) return raised;
	}
}
