import { fromBase58, InvalidValue, toBase58 } from '../../../nodes/core';

export type BytesAs = 'base64' | 'hex' | 'base58';

/** Base58 takes quadratic time; chains use it for keys, hashes and signatures alone. */
const MAX_BASE58_BYTES = 128;

/** Bytes too long for base58 are written as `base64:…`. */
export function formatBytes(bytes: Uint8Array, as: BytesAs = 'base64'): string {
	if (as === 'base58' && bytes.length <= MAX_BASE58_BYTES) return toBase58(bytes);
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	if (as === 'hex') return `0x${buffer.toString('hex')}`;
	return `${as === 'base58' ? 'base64:' : ''}${buffer.toString('base64')}`;
}

/** Longer text of 0x and hex digits is never base64 by chance. */
const LONG_HEX = 22;

/**
 * Undefined for text that is no bytes. Text after 0x is hex, and a prefix such as `hex:` overrules the option. Without
 * the option, base64 that looks like hex or base58 throws InvalidValue.
 */
export function parseBytes(given: string, as?: BytesAs): Uint8Array | undefined {
	const text = given.trim();
	const [, named, rest = ''] = /^(base64|hex|base58):([^]*)$/.exec(text) ?? [];
	if (named) return READERS[named as BytesAs](rest);
	const bare = withoutSpaces(text);
	const isChance = as === 'base64' && bare.length < LONG_HEX && isCanonicalBase64(bare);
	if (/^0x[\da-f]*$/i.test(bare) && !isChance) return fromHex(bare.slice(2));
	if (as) return READERS[as](text);
	const other = looksLike(bare);
	if (other) ambiguous(other);
	return fromBase64(bare);
}

function withoutSpaces(text: string): string {
	return text.replace(/[ \n\r\t]/g, '');
}

const READERS = { base64: fromBase64, hex: fromHex, base58: fromShortBase58 };

function ambiguous(other: BytesAs): never {
	throw new InvalidValue(
		`could be ${other} or base64: which is meant? Write ${other}: or base64: before it, or set the option 'Bytes As'`,
	);
}

/** So many hex digits, or the length of a key or signature, are seldom chance. */
function looksLike(text: string): 'hex' | 'base58' | undefined {
	if (text.length >= 40 && fromHex(text)) return 'hex';
	const length = text.length >= 32 ? fromShortBase58(text)?.length : undefined;
	return length === 32 || length === 64 ? 'base58' : undefined;
}

function fromHex(text: string): Uint8Array | undefined {
	const digits = withoutSpaces(text);
	const isHex = digits.length % 2 === 0 && /^[\da-f]*$/i.test(digits);
	return isHex ? Buffer.from(digits, 'hex') : undefined;
}

function fromShortBase58(text: string): Uint8Array | undefined {
	return text.length <= MAX_BASE58_BYTES * 2 ? fromBase58(text) : undefined;
}

/** Of either alphabet, padded or not. As every library reads it, the last bits may be set that no byte takes. */
function fromBase64(text: string): Uint8Array | undefined {
	const bare = withoutSpaces(text).replace(/={1,2}$/, '');
	const isBase64 = /^[\w+/-]*$/.test(bare) && bare.length % 4 !== 1;
	return isBase64 ? Buffer.from(bare, 'base64') : undefined;
}

/** Whether it is what encoders write, but for the padding. */
function isCanonicalBase64(text: string): boolean {
	return Buffer.from(text, 'base64').toString('base64').replace(/=+$/, '') === text;
}
