import { decodeBase58Check, encodeBase58Check } from '../values/base58';
import { trimText, type Parse, InvalidValue } from '../values/parse';
import { invalidAddress } from '../values/addressForms';
import { raise } from '../errors/raise';

const BASE58_ADDRESS_PATTERN = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const HEX_ADDRESS_PATTERN = /^41[0-9a-f]{40}$/i;
const ADDRESS_PREFIX = 0x41;

/** Makes a parser of addresses on TRON. It returns base58check if `visible`, and otherwise hex. */
export function witnessAddressParser(visible: boolean): Parse<string> {
	return (given) => (visible ? parseBase58Address : parseHexAddress)(trimText(given));
}

function parseBase58Address(value: string): string {
	if (HEX_ADDRESS_PATTERN.test(value)) {
		throw new InvalidValue(
			"an address in base58 (T…) while 'Base58 Addresses' is on: turn it off to use hex",
		);
	}
	parseBase58Account(value);
	return value;
}

function parseBase58Account(value: string): string {
	if (!BASE58_ADDRESS_PATTERN.test(value))
		throw invalidAddress('witness', value, 'an address in base58: T and 33 letters and digits');
	const bytes = decodeBase58Check(value);
	return bytes?.length === 21 && bytes[0] === ADDRESS_PREFIX
		? bytes.toString('hex', 1)
		: raise(new InvalidValue('an address with a valid checksum: a character may be wrong'));
}

function parseHexAddress(value: string): string {
	if (BASE58_ADDRESS_PATTERN.test(value)) {
		throw new InvalidValue(
			"an address in hex (41…) while 'Base58 Addresses' is off: turn it on to use base58",
		);
	}
	return HEX_ADDRESS_PATTERN.test(value)
		? value
		: raise(invalidAddress('witness', value, 'an address in hex: 42 digits that begin with 41'));
}

/** Parses an address in base58 or hex. Returns its last 20 bytes, which are the EVM address, as 40 hex digits. */
export const parseWitnessAccount: Parse<string> = (given) => {
	const value = trimText(given);
	return HEX_ADDRESS_PATTERN.test(value) ? value.slice(2).toLowerCase() : parseBase58Account(value);
};

/** Formats an account, given as 40 hex digits, in base58 and in hex. */
export function formatWitnessAddresses(account: string): {
	readonly base58: string;
	readonly hex: string;
} {
	const hex = ADDRESS_PREFIX.toString(16) + account.toLowerCase();
	return { base58: encodeBase58Check(Buffer.from(hex, 'hex')), hex };
}
