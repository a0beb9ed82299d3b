import { keccak256 } from '../values/keccak';
import { trimText, type Parse, InvalidValue } from '../values/parse';
import { invalidAddress } from '../values/addressForms';
import { raise } from '../errors/raise';

/** The zero address. Nobody has a key for this account. */
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** An address in mixed case has an EIP-55 checksum, which must match. */
export const parseEvmAddress: Parse<string> = (given) => {
	const value = trimText(given);
	if (!/^0x[0-9a-f]{40}$/i.test(value))
		throw invalidAddress('evm', value, 'an address: 0x and 40 hex digits');
	const digits = value.slice(2);
	const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
	const address = `0x${digits}`;
	return isOneCase || address === checksumAddress(address)
		? address
		: raise(
				new InvalidValue(
					'an address whose upper and lower case match its checksum (EIP-55): a character may be wrong',
				),
			);
};

const DIGIT_NINE_CODE = 0x39;
const UPPER_CASE_OFFSET = 0x20;

/** Writes an address with its checksum (EIP-55): a letter is upper case where the hash has a digit of 8 or more. */
export function checksumAddress(address: string): string {
	const characters = Buffer.from(address.slice(2).toLowerCase());
	const hashed = keccak256(characters);
	for (let index = 0; index < characters.length; index++) {
		const character = characters[index] ?? 0;
		const isUpper = ((hashed[index >> 1] ?? 0) & (index % 2 === 0 ? 0x80 : 0x08)) !== 0;
		if (isUpper && character > DIGIT_NINE_CODE) characters[index] = character - UPPER_CASE_OFFSET;
	}
	return `0x${characters.toString('latin1')}`;
}
