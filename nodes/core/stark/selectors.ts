import { keccak256 } from '../values/keccak';

/** The names of default entry points, which receive calls of unknown selectors. */
const DEFAULT_ENTRY_POINTS = ['__default__', '__l1_default__'];
const SELECTOR_BITS = 250;

/** Computes the selector of a function, or the key of an event. It is the hash of the name, cut to 250 bits. */
export function computeSelector(name: string): bigint {
	if (DEFAULT_ENTRY_POINTS.includes(name)) return 0n;
	const hash = BigInt(`0x${keccak256(Buffer.from(name)).toString('hex')}`);
	return BigInt.asUintN(SELECTOR_BITS, hash);
}
