/** Data from a chain does not match its ABI types. */
export class DecodingError extends Error {}

export const WORD = 32;

/** How often each word may be read on average: hostile offsets refer to the same words again and again. */
const READINGS = 4;

/** Encoded bytes, and how many more words of them may be read. */
export interface ChainData {
	readonly bytes: Buffer;
	wordsLeft: number;
}

export function chainData(hex: unknown): ChainData {
	const digits = typeof hex === 'string' && /^0x/i.test(hex) ? hex.slice(2) : 'none';
	const bytes = Buffer.from(digits, 'hex');
	// Buffer stops at what is no hex.
	if (bytes.length * 2 !== digits.length) throw new DecodingError('the data is not 0x-hex');
	return { bytes, wordsLeft: READINGS * Math.ceil(bytes.length / WORD) };
}

/** All the bytes, after checking that a word is left at `at`. */
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

/** The length of a list whose items take at least `itemSize` bytes. */
export function countAt(data: ChainData, at: number, itemSize: number): number {
	const count = numberAt(data, at);
	const room = data.bytes.length - at - WORD;
	if (count * itemSize > room) throw new DecodingError('a length is larger than the data');
	return count;
}

/** A length, and as many bytes. */
export function contentAt(data: ChainData, at: number): Buffer {
	const length = countAt(data, at, 1);
	spend(data, Math.ceil(length / WORD));
	return data.bytes.subarray(at + WORD, at + WORD + length);
}

/** The padding of a value: zeros, or 0xff before a negative number. */
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

/** Two's complement, in hex digits. */
export function integerWord(value: bigint): string {
	return BigInt.asUintN(256, value).toString(16).padStart(DIGITS, '0');
}

/** An offset or a length. */
export function numberWord(value: number): string {
	return value.toString(16).padStart(DIGITS, '0');
}

/** Padded on the right to whole words. */
export function toWords(digits: string): string {
	return digits.padEnd(Math.ceil(digits.length / DIGITS) * DIGITS, '0');
}

export function byteCount(digits: string): number {
	return digits.length / 2;
}
