import { countPriceBits, markPrice, takeBits, type CarriedMark } from '../chain/mark';
import { isRecord } from '../values/parse';
import { encodeFelt, tryParseFelt } from './felts';
import type { ResourceBounds } from './invoke';

/**
 * The last 30 to 40 bits of a price are those of the payment mark, which identifies a payment. A low price carries 30
 * bits. So it rises by less than 2^30 of the smallest unit.
 */
const PRICE_BITS = { least: 30, most: 40 };

/** Raises the highest price of L1 gas so that its last bits are the mark. Most transactions use no L1 gas. */
export function addMark(bounds: ResourceBounds, mark: bigint): ResourceBounds {
	const { l1_gas: bound } = bounds;
	if (!bound) return bounds;
	const price = markPrice(BigInt(bound.max_price_per_unit), mark, PRICE_BITS);
	return { ...bounds, l1_gas: { ...bound, max_price_per_unit: encodeFelt(price) } };
}

const NO_MARK: CarriedMark = { value: 0n, bits: 0 };

/** Reads the payment mark, a number that a transaction carries to identify its payment. */
export function readMark({
	resource_bounds: bounds,
}: Readonly<Record<string, unknown>>): CarriedMark {
	const bound = isRecord(bounds) ? bounds.l1_gas : undefined;
	const price = isRecord(bound) ? tryParseFelt(bound.max_price_per_unit) : undefined;
	if (price === undefined) return NO_MARK;
	const bits = countPriceBits(price, PRICE_BITS);
	return { value: takeBits(price, bits), bits };
}
