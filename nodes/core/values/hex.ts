import { keccak256 } from './keccak';
import { mustBe, type Read } from './read';

/** Bytes as 0x-hex. */
export const bytes: Read<string> = (given) => {
	const value = typeof given === 'string' ? given.trim() : '';
	if (!/^0x[0-9a-f]*$/i.test(value)) return mustBe('bytes as 0x-hex');
	return value.length % 2 === 0
		? value
		: mustBe('whole bytes: an even number of hex digits after 0x');
};

/** A hash of 32 bytes. */
export const hash: Read<string> = (given) => {
	const value = typeof given === 'string' ? given.trim() : '';
	return /^0x[0-9a-f]{64}$/i.test(value) ? value : mustBe('a hash: 0x and 64 hex digits');
};

/** An account or contract on an EVM chain. Mixed case is a checksum (EIP-55), and is checked. */
export const evmAddress: Read<string> = (given) => {
	const value = typeof given === 'string' ? given.trim() : '';
	if (!/^0x[0-9a-f]{40}$/i.test(value)) return mustBe('an address: 0x and 40 hex digits');
	const digits = value.slice(2);
	const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
	return isOneCase || value === checksummed(digits)
		? value
		: mustBe(
				'an address whose upper and lower case match its checksum (EIP-55): a character may be wrong',
			);
};

const NINE = 0x39;
/** How far the capital letters stand before the small ones. */
const TO_UPPER = 0x20;

/** An EVM address whose upper and lower case is its checksum (EIP-55), from its 40 digits. */
export function checksummed(digits: string): string {
	const characters = Buffer.from(digits.toLowerCase());
	const marks = keccak256(characters);
	for (let index = 0; index < characters.length; index++) {
		const character = characters[index] ?? 0;
		const isMarked = ((marks[index >> 1] ?? 0) & (index % 2 === 0 ? 0x80 : 0x08)) !== 0;
		if (isMarked && character > NINE) characters[index] = character - TO_UPPER;
	}
	return `0x${characters.toString('latin1')}`;
}
