import { fromBase58 } from '../../../../nodes/core';
import { toBase58 } from './base58.mts';

export type BytesAs = 'base64' | 'hex' | 'base58';

/** Base58 is for keys, hashes and signatures: chains give nothing longer in it, and it takes long to make. */
const MAX_BASE58_BYTES = 128;

/** Bytes as a person writes them. Where base58 will not do, base64 says that it is that. */
export function formatBytes(bytes: Uint8Array, as: BytesAs = 'base64'): string {
	if (as === 'base58' && bytes.length <= MAX_BASE58_BYTES) return toBase58(bytes);
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	if (as === 'hex') return `0x${buffer.toString('hex')}`;
	return `${as === 'base58' ? 'base64:' : ''}${buffer.toString('base64')}`;
}

/** Base64 may begin with 0x and hold nothing but hex digits, but not so many of them. */
const LONG_HEX = 22;

/** Thrown for text that could be meant in two ways. */
export class Doubt extends Error {
	constructor(readonly other: Exclude<BytesAs, 'base64'>) {
		super(
			`could be ${other} or base64: which is meant? Write ${other}: or base64: before it, or set the option 'Bytes As'`,
		);
	}
}

/**
 * The bytes that a text stands for; undefined when it stands for none. Text after 0x is hex, and a text may say itself
 * what it is, as in `hex:00ff`. Without a choice of the user, nothing is taken for base64 that looks like something else.
 */
export function parseBytes(given: string, as?: BytesAs): Uint8Array | undefined {
	const text = given.trim();
	const [, named, rest = ''] = /^(base64|hex|base58):([^]*)$/.exec(text) ?? [];
	if (named) return READERS[named as BytesAs](rest);
	const bare = withoutSpaces(text);
	const isChance = as === 'base64' && bare.length < LONG_HEX && fromBase64(bare);
	if (/^0x[\da-f]*$/i.test(bare) && !isChance) return fromHex(bare.slice(2));
	if (as) return READERS[as](text);
	const other = looksLike(bare);
	if (other) throw new Doubt(other);
	return fromBase64(bare);
}

/** Bytes may be pasted in lines and in groups. */
function withoutSpaces(text: string): string {
	return text.replace(/[ \n\r\t]/g, '');
}

const READERS = { base64: fromBase64, hex: fromHex, base58: fromShortBase58 };

/** What a text that may be base64 too looks like: so many hex digits, or a key or signature, are seldom chance. */
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

/** With both alphabets, with or without padding, and with spaces; but without a bit that would be lost. */
function fromBase64(text: string): Uint8Array | undefined {
	const bare = withoutSpaces(text).replace(/={1,2}$/, '');
	const usual = bare.replaceAll('-', '+').replaceAll('_', '/');
	const bytes = Buffer.from(usual, 'base64');
	return bytes.toString('base64').replace(/=+$/, '') === usual ? bytes : undefined;
}
