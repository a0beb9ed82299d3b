import type { Read } from '../core/values/read';
import { unfit } from '../core/values/read';
import { wholeAmount } from '../core/values/quantity';

const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** A field element of the rollup. Hex is sent as it was written, because padded addresses are common. */
export const felt: Read<string> = (given) => {
	const amount = wholeAmount(given);
	if (amount >= PRIME) return unfit('a field element, below 2^251 + 17 * 2^192 + 1');
	const isHex = typeof given === 'string' && given.trim().toLowerCase().startsWith('0x');
	return isHex ? given.trim().toLowerCase() : `0x${amount.toString(16)}`;
};
