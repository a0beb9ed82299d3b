import { findAddressFamily, invalidAddress } from '../values/addressForms';
import type { Parse } from '../values/parse';
import { integerParser, isHexText } from './felts';

/** Addresses are below this bound. */
export const ADDRESS_BOUND = 2n ** 251n - 256n;

const EXPECTED_ADDRESS =
	'an address: 0x and up to 64 hex digits; not zero, and where all 64 are there, the first two are 00 to 07';

/**
 * Parses the address of an account or a contract, with any number of leading zeros. An address of an EVM chain is
 * refused: it would be a valid number here, but coins sent to it would be lost.
 */
export const parseStarkAddress: Parse<bigint> = (given) => {
	const isOther = findAddressFamily(given) === 'evm';
	if (isOther || !isHexText(given)) throw invalidAddress('stark', given, EXPECTED_ADDRESS);
	return integerParser(1n, ADDRESS_BOUND - 1n, EXPECTED_ADDRESS)(given);
};
