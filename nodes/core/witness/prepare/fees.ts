import { RequestFailure } from '../../errors/requestFailure';
import type { Resources } from '../accounts';
import type { Prices } from '../prices';
import { formatCoins } from './purse';

/** A transaction is also charged for bytes outside its raw data: for its signature, its lengths and its result. */
const BYTES_BESIDE_RAW_DATA = 134;
export const HEX_CHARS_PER_BYTE = 2;

/**
 * Computes the fee for the bytes of a transaction. Either one kind of bandwidth covers all bytes, or the fee is for
 * all bytes.
 */
export function computeByteFee(
	rawDataHex: unknown,
	{ freeBandwidth, frozenBandwidth }: Resources,
	priceOf: Prices,
): bigint {
	const bytes = countBytes(rawDataHex);
	return bytes <= freeBandwidth || bytes <= frozenBandwidth ? 0n : bytes * priceOf('a byte');
}

/**
 * Computes the fee for the bytes of a transaction that creates an account. Free bandwidth does not cover these bytes.
 */
export function computeNewAccountByteFee(
	rawDataHex: unknown,
	{ frozenBandwidth }: Resources,
	priceOf: Prices,
): bigint {
	const isCovered = countBytes(rawDataHex) <= frozenBandwidth;
	return isCovered ? 0n : priceOf('the bytes of a new account');
}

/** Counts the bytes for which a transaction is charged. */
function countBytes(rawDataHex: unknown): bigint {
	return BigInt(String(rawDataHex).length / HEX_CHARS_PER_BYTE + BYTES_BESIDE_RAW_DATA);
}

/** The price of a byte in sun, on every chain of this type. */
export const SUN_PER_BYTE = 1000n;

/**
 * Computes the highest fee for the bytes of a transaction from the size of its raw data. It assumes that the account
 * has no bandwidth left.
 */
export function computeHighestByteFee(rawBytes: number): bigint {
	return BigInt(rawBytes + BYTES_BESIDE_RAW_DATA) * SUN_PER_BYTE;
}

interface EnergyUse {
	/** The part of the call's energy for which the caller is charged. */
	readonly energy: bigint;
	/** The energy that the caller has from frozen coins. */
	readonly own: bigint;
	/** In sun. */
	readonly feeLimit: bigint;
}

/**
 * Computes the fee for energy, in sun. A call whose energy costs more than its fee limit is refused: it would fail,
 * and still have to be paid. Energy that the account already has counts against the limit, too.
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
				"The call would fail, and the energy used until then would be charged. Raise 'Fee Limit' until it covers all energy of the call, including the energy that the account has from frozen coins.",
		},
	);
}
