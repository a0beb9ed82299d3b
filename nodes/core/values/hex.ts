import { checksummed } from './digests/checksum';
import { unfit, type Read } from './read';

/** Bytes as 0x-hex. */
export const bytes: Read<string> = (given) => {
	const value = typeof given === 'string' ? given.trim() : '';
	if (!/^0x[0-9a-f]*$/i.test(value)) return unfit('bytes as 0x-hex');
	return value.length % 2 === 0
		? value
		: unfit('whole bytes: an even number of hex digits after 0x');
};

/** A hash of 32 bytes. */
export const hash: Read<string> = (given) => {
	const value = typeof given === 'string' ? given.trim() : '';
	return /^0x[0-9a-f]{64}$/i.test(value) ? value : unfit('a hash: 0x and 64 hex digits');
};

/** An account or contract on an EVM chain. Mixed case is a checksum (EIP-55), and is checked. */
export const evmAddress: Read<string> = (given) => {
	const value = typeof given === 'string' ? given.trim() : '';
	if (!/^0x[0-9a-f]{40}$/i.test(value)) return unfit('an address: 0x and 40 hex digits');
	const digits = value.slice(2);
	const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
	return isOneCase || value === checksummed(digits)
		? value
		: unfit(
				'an address whose upper and lower case match its checksum (EIP-55): a character may be wrong',
			);
};
