import { keccak256 } from './keccak';
import { mustBe, trimmed, type Read } from './read';

export const bytes: Read<string> = (given) => {
	const value = trimmed(given);
	if (!/^0x[0-9a-f]*$/i.test(value)) return mustBe('bytes as 0x-hex');
	return value.length % 2 === 0
		? `0x${value.slice(2)}`
		: mustBe('whole bytes: an even number of hex digits after 0x');
};

export function hexOf(content: Uint8Array): string {
	return `0x${Buffer.from(content).toString('hex')}`;
}

/** What compilers leave where the address of a library belongs. */
const PLACEHOLDER = /_[_$\w.:/-]*_/;

/** What a compiler makes of a contract; many give it without 0x. */
export const bytecode: Read<string> = (given) => {
	const code = trimmed(given);
	if (PLACEHOLDER.test(code)) {
		return mustBe('linked: it has placeholders where the addresses of libraries belong');
	}
	return bytes(/^0x/i.test(code) ? code : `0x${code}`);
};

/** 32 bytes. */
export const hash: Read<string> = (given) => {
	const value = trimmed(given);
	return /^0x[0-9a-f]{64}$/i.test(value)
		? `0x${value.slice(2)}`
		: mustBe('a hash: 0x and 64 hex digits');
};

/** Mixed case is an EIP-55 checksum, and must match. */
export const evmAddress: Read<string> = (given) => {
	const value = trimmed(given);
	if (!/^0x[0-9a-f]{40}$/i.test(value)) return mustBe('an address: 0x and 40 hex digits');
	const digits = value.slice(2);
	const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
	const address = `0x${digits}`;
	return isOneCase || address === checksummed(digits)
		? address
		: mustBe(
				'an address whose upper and lower case match its checksum (EIP-55): a character may be wrong',
			);
};

const NINE = 0x39;
const TO_UPPER = 0x20;

/** The EIP-55 checksum address of 40 hex digits: a letter is upper case where its digit of the hash is 8 or more. */
export function checksummed(digits: string): string {
	const characters = Buffer.from(digits.toLowerCase());
	const hashed = keccak256(characters);
	for (let index = 0; index < characters.length; index++) {
		const character = characters[index] ?? 0;
		const isUpper = ((hashed[index >> 1] ?? 0) & (index % 2 === 0 ? 0x80 : 0x08)) !== 0;
		if (isUpper && character > NINE) characters[index] = character - TO_UPPER;
	}
	return `0x${characters.toString('latin1')}`;
}
