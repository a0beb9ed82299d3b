import type { Read } from './read';
import { unfit } from './read';
import { fromBase58Check } from './digests/base58';

const BASE58 = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const HEX = /^41[0-9a-f]{40}$/i;
const PREFIX = 0x41;

/** An account on a witness chain, in the spelling that `visible` asks for: base58 with a checksum, or hex. */
export function witnessAddress(visible: boolean): Read<string> {
	return (given) => {
		const value = typeof given === 'string' ? given.trim() : '';
		return visible ? base58Address(value) : hexAddress(value);
	};
}

function base58Address(value: string): string {
	if (HEX.test(value)) {
		return unfit(
			"an address in base58 (T…) while 'Base58 Addresses' is on: turn it off to use hex",
		);
	}
	if (!BASE58.test(value)) return unfit('an address in base58: T and 33 letters and digits');
	const bytes = fromBase58Check(value);
	return bytes?.length === 21 && bytes[0] === PREFIX
		? value
		: unfit('an address with a valid checksum: a character may be wrong');
}

function hexAddress(value: string): string {
	if (BASE58.test(value)) {
		return unfit(
			"an address in hex (41…) while 'Base58 Addresses' is off: turn it on to use base58",
		);
	}
	return HEX.test(value) ? value : unfit('an address in hex: 42 digits that begin with 41');
}
