import { decodeBase58, InvalidValue, encodeBase58 } from '../../../nodes/core';

export type BytesAs = 'base64' | 'hex' | 'base58';

/** Base58 takes quadratic time; chains use it for keys, hashes and signatures alone. */
const MAX_BASE58_BYTES = 128;

/** Bytes too long for base58 are written as `base64:…`. */
export function formatBytes(bytes: Uint8Array, as: BytesAs = 'base64'): string {
	if (as === 'base58' && bytes.length <= MAX_BASE58_BYTES) return encodeBase58(bytes);
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	if (as === 'hex') return `0x${buffer.toString('hex')}`;
	return `${as === 'base58' ? 'base64:' : ''}${buffer.toString('base64')}`;
}

/** Text of 0x and this many hex digits is never base64 by chance. */
const MIN_HEX_CHARS = 22;

/**
 * Parses bytes; undefined for text that holds none. Text after 0x is hex, and a prefix such as `hex:` overrides the
 * option. Without the option, base64 that looks like hex or base58 throws InvalidValue.
 */
export function parseBytes(given: string, as?: BytesAs): Uint8Array | undefined {
	const text = given.trim();
	const [, named, rest = ''] = /^(base64|hex|base58):([^]*)$/.exec(text) ?? [];
	if (named) return DECODERS[named as BytesAs](rest);
	const bare = removeSpaces(text);
	const isChance = as === 'base64' && bare.length < MIN_HEX_CHARS && isCanonicalBase64(bare);
	if (/^0x[\da-f]*$/i.test(bare) && !isChance) return decodeHex(bare.slice(2));
	if (as) return DECODERS[as](text);
	const other = guessEncoding(bare);
	if (other) throwAmbiguous(other);
	return decodeBase64(bare);
}

function removeSpaces(text: string): string {
	return text.replace(/[ \n\r\t]/g, '');
}

const DECODERS = { base64: decodeBase64, hex: decodeHex, base58: decodeShortBase58 };

function throwAmbiguous(other: BytesAs): never {
	throw new InvalidValue(
		`could be ${other} or base64: which is meant? Write ${other}: or base64: before it, or set the option 'Bytes As'`,
	);
}

/** This many hex digits, or the length of a key or signature, are seldom chance. */
function guessEncoding(text: string): 'hex' | 'base58' | undefined {
	if (text.length >= 40 && decodeHex(text)) return 'hex';
	const length = text.length >= 32 ? decodeShortBase58(text)?.length : undefined;
	return length === 32 || length === 64 ? 'base58' : undefined;
}

function decodeHex(text: string): Uint8Array | undefined {
	const digits = removeSpaces(text);
	const isHex = digits.length % 2 === 0 && /^[\da-f]*$/i.test(digits);
	return isHex ? Buffer.from(digits, 'hex') : undefined;
}

function decodeShortBase58(text: string): Uint8Array | undefined {
	return text.length <= MAX_BASE58_BYTES * 2 ? decodeBase58(text) : undefined;
}

/** Decodes either alphabet, padded or not. Like every library, it ignores the last bits that belong to no byte. */
function decodeBase64(text: string): Uint8Array | undefined {
	const bare = removeSpaces(text).replace(/={1,2}$/, '');
	const isBase64 = /^[\w+/-]*$/.test(bare) && bare.length % 4 !== 1;
	return isBase64 ? Buffer.from(bare, 'base64') : undefined;
}

/** Whether the text is what encoders write, except for padding. */
function isCanonicalBase64(text: string): boolean {
	return Buffer.from(text, 'base64').toString('base64').replace(/=+$/, '') === text;
}
