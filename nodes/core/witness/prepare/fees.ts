import { RequestFailure } from '../../errors/requestFailure';
import type { Resources } from '../accounts';
import type { Prices } from '../prices';
import { formatCoins } from './purse';

/** A transaction is also charged for its signature, its lengths and its result. */
const BYTES_BESIDE_RAW_DATA = 134;
export const HEX_CHARS_PER_BYTE = 2;

/** Computes the fee for the bytes of a transaction: either kind of bandwidth covers all of them or none. */
export function computeByteFee(
	rawDataHex: unknown,
	{ freeBandwidth, frozenBandwidth }: Resources,
	priceOf: Prices,
): bigint {
	const bytes = countBytes(rawDataHex);
	return bytes <= freeBandwidth || bytes <= frozenBandwidth ? 0n : bytes * priceOf('a byte');
}

/** Computes the fee for the bytes of a transaction that creates an account. Free bandwidth does not cover them. */
export function computeNewAccountByteFee(
	rawDataHex: unknown,
	{ frozenBandwidth }: Resources,
	priceOf: Prices,
): bigint {
	const isCovered = countBytes(rawDataHex) <= frozenBandwidth;
	return isCovered ? 0n : priceOf('the bytes of a new account');
}

/** Counts the bytes that a transaction is charged for. */
function countBytes(rawDataHex: unknown): bigint {
	return BigInt(String(rawDataHex).length / HEX_CHARS_PER_BYTE + BYTES_BESIDE_RAW_DATA);
}

/** The price of a byte on each chain of this kind, in sun. */
export const SUN_PER_BYTE = 1000n;

/**
 * Computes the highest fee for the bytes of a transaction from the size of its raw data, because its account may have no
 * bandwidth.
 */
export function computeHighestByteFee(rawBytes: number): bigint {
	return BigInt(rawBytes + BYTES_BESIDE_RAW_DATA) * SUN_PER_BYTE;
}

interface EnergyUse {
	/** The part of the energy that the caller pays. */
	readonly energy: bigint;
	/** The resource for which the caller has frozen coins. */
	readonly own: bigint;
	/** In sun. */
	readonly feeLimit: bigint;
}

/**
 * Computes the fee for energy, in sun. A call that its fee limit does not cover would fail, and be paid all the same: it is
 * refused. The energy that the account has of its own counts against the limit, too.
 */
export function computeEnergyFee({ energy, own, feeLimit }: EnergyUse, priceOf: Prices): bigint {
	const price = priceOf('energy');
	if (energy * price > feeLimit) throw lowLimitError(energy, energy * price, feeLimit);
	return energy > own ? (energy - own) * price : 0n;
}

function lowLimitError(energy: bigint, cost: bigint, feeLimit: bigint): RequestFailure {
	return new RequestFailure(
		`The fee limit does not suffice: the call takes ${energy} energy, which is worth ${formatCoins(cost)}, and the limit is ${formatCoins(feeLimit)}`,
		{
			description:
				'The call would fail, and the energy that it used would be charged. Energy of the account itself also counts against the limit.',
		},
	);
}
