import { trimText, type Parse, InvalidValue } from './parse';
import { raise } from '../errors/raise';

export const parseHexBytes: Parse<string> = (given) => {
	const value = trimText(given);
	if (!/^0x[0-9a-f]*$/i.test(value)) throw new InvalidValue('bytes as 0x-hex');
	return value.length % 2 === 0
		? `0x${value.slice(2)}`
		: raise(new InvalidValue('whole bytes: an even number of hex digits after 0x'));
};

export function encodeHex(content: Uint8Array): string {
	return `0x${Buffer.from(content).toString('hex')}`;
}

/** Placeholders that compilers leave in bytecode where the addresses of libraries belong. */
const LIBRARY_PLACEHOLDER_PATTERN = /_[_$\w.:/-]*_/;

/** Parses the compiled code of a contract. Many compilers print it without 0x. */
export const parseBytecode: Parse<string> = (given) => {
	const code = trimText(given);
	if (LIBRARY_PLACEHOLDER_PATTERN.test(code)) {
		throw new InvalidValue(
			'linked bytecode, with the addresses of its libraries: it still has placeholders for them',
		);
	}
	return parseHexBytes(/^0x/i.test(code) ? code : `0x${code}`);
};

/** Parses a hash of 32 bytes, given as 0x-hex. */
export const parseHash: Parse<string> = (given) => {
	const value = trimText(given);
	return /^0x[0-9a-f]{64}$/i.test(value)
		? `0x${value.slice(2)}`
		: raise(new InvalidValue('a hash: 0x and 64 hex digits'));
};
