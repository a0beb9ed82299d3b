import { keccak256 } from './keccak';
import { throwInvalidValue, trimText, type Parse } from './read';

export const parseHexBytes: Parse<string> = (given) => {
	const value = trimText(given);
	if (!/^0x[0-9a-f]*$/i.test(value)) return throwInvalidValue('bytes as 0x-hex');
	return value.length % 2 === 0
		? `0x${value.slice(2)}`
		: throwInvalidValue('whole bytes: an even number of hex digits after 0x');
};

export function encodeHex(content: Uint8Array): string {
	return `0x${Buffer.from(content).toString('hex')}`;
}

/** What compilers leave where the address of a library belongs. */
const LIBRARY_PLACEHOLDER_PATTERN = /_[_$\w.:/-]*_/;

/** What a compiler makes of a contract; many give it without 0x. */
export const parseBytecode: Parse<string> = (given) => {
	const code = trimText(given);
	if (LIBRARY_PLACEHOLDER_PATTERN.test(code)) {
		return throwInvalidValue('linked: it has placeholders where the addresses of libraries belong');
	}
	return parseHexBytes(/^0x/i.test(code) ? code : `0x${code}`);
};

/** 32 bytes. */
export const parseHash: Parse<string> = (given) => {
	const value = trimText(given);
	return /^0x[0-9a-f]{64}$/i.test(value)
		? `0x${value.slice(2)}`
		: throwInvalidValue('a hash: 0x and 64 hex digits');
};

/** Mixed case is an EIP-55 checksum, and must match. */
export const parseEvmAddress: Parse<string> = (given) => {
	const value = trimText(given);
	if (!/^0x[0-9a-f]{40}$/i.test(value))
		return throwInvalidValue('an address: 0x and 40 hex digits');
	const digits = value.slice(2);
	const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
	const address = `0x${digits}`;
	return isOneCase || address === checksumAddress(digits)
		? address
		: throwInvalidValue(
				'an address whose upper and lower case match its checksum (EIP-55): a character may be wrong',
			);
};

const DIGIT_NINE_CODE = 0x39;
const UPPER_CASE_OFFSET = 0x20;

/** The EIP-55 checksum address of 40 hex digits: a letter is upper case where its digit of the hash is 8 or more. */
export function checksumAddress(digits: string): string {
	const characters = Buffer.from(digits.toLowerCase());
	const hashed = keccak256(characters);
	for (let index = 0; index < characters.length; index++) {
		const character = characters[index] ?? 0;
		const isUpper = ((hashed[index >> 1] ?? 0) & (index % 2 === 0 ? 0x80 : 0x08)) !== 0;
		if (isUpper && character > DIGIT_NINE_CODE) characters[index] = character - UPPER_CASE_OFFSET;
	}
	return `0x${characters.toString('latin1')}`;
}
