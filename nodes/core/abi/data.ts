import { mustBe } from '../values/read';

/** Bytes from a chain that are not what their types say. */
export class DecodingError extends Error {}

/**
 * Bytes from a chain, which may be made to confuse. An honest encoding has no need to be read more than once, but offsets
 * may lead many readers to the same words: so only so many words are read in all.
 */
export interface ChainData {
	readonly bytes: Buffer;
	wordsLeft: number;
}

export const WORD = 32;
const READINGS = 4;

export function chainData(hex: unknown): ChainData {
	const digits = typeof hex === 'string' && /^0x/i.test(hex) ? hex.slice(2) : 'none';
	const bytes = Buffer.from(digits, 'hex');
	// What is no hex ends the reading early.
	if (bytes.length * 2 !== digits.length) throw new DecodingError('the data is not 0x-hex');
	return { bytes, wordsLeft: READINGS * Math.ceil(bytes.length / WORD) };
}

/** Makes sure that a whole word stands here, and gives its bytes. */
export function wordAt(data: ChainData, at: number): Buffer {
	if (at + WORD > data.bytes.length) throw new DecodingError('the data ends too early');
	spend(data, 1);
	return data.bytes;
}

/** An offset or a length. */
export function numberAt(data: ChainData, at: number): number {
	const bytes = wordAt(data, at);
	const end = at + WORD;
	if (!isFilled(bytes, at, end - 6, 0))
		throw new DecodingError('an offset or a length is too large');
	return bytes.readUIntBE(end - 6, 6);
}

/** How many items follow, where each takes at least so many bytes. */
export function countAt(data: ChainData, at: number, itemSize: number): number {
	const count = numberAt(data, at);
	const room = data.bytes.length - at - WORD;
	if (count * itemSize > room) throw new DecodingError('a length is larger than the data');
	return count;
}

/** Bytes behind their length. */
export function contentAt(data: ChainData, at: number): Buffer {
	const length = countAt(data, at, 1);
	spend(data, Math.ceil(length / WORD));
	return data.bytes.subarray(at + WORD, at + WORD + length);
}

/** What is not part of a value must be zero, or the sign of a negative number. */
export function expectFilled(bytes: Buffer, from: number, to: number, byte: number): void {
	if (!isFilled(bytes, from, to, byte)) throw new DecodingError('a value does not fit its type');
}

function isFilled(bytes: Buffer, from: number, to: number, byte: number): boolean {
	for (let index = from; index < to; index++) if (bytes[index] !== byte) return false;
	return true;
}

function spend(data: ChainData, words: number): void {
	data.wordsLeft -= words;
	if (data.wordsLeft < 0) throw new DecodingError('the same data is referred to again and again');
}

const DIGITS = 64;

/** A word of hex digits. Negative numbers are written as two's complement. */
export function integerWord(value: bigint): string {
	return BigInt.asUintN(256, value).toString(16).padStart(DIGITS, '0');
}

/** An offset or a length. */
export function numberWord(value: number): string {
	return value.toString(16).padStart(DIGITS, '0');
}

/** The digits, filled up to whole words. */
export function toWords(digits: string): string {
	return digits.padEnd(Math.ceil(digits.length / DIGITS) * DIGITS, '0');
}

/** How many bytes these digits are. */
export function byteCount(digits: string): number {
	return digits.length / 2;
}

/** Refuses a signature or an ABI, with what is wrong in it. */
export function invalidAbi(reason: string): never {
	return mustBe(`a valid signature or JSON ABI: ${reason}`);
}
