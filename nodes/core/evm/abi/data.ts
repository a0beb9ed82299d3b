/** Is thrown if data from a chain does not match its ABI types. */
export class DecodingError extends Error {}

export const WORD_BYTES = 32;

/**
 * Limits the reads to this many times the number of 32-byte words in the data. Data made for an attack can have many
 * offsets that all point to the same words, and decoding it would then take very long.
 */
const MAX_READS_PER_WORD = 4;

/** Decoding more values than this would block n8n. */
const MAX_VALUES = 150_000;

/** Encoded bytes, with limits on how many words are read and how many values are decoded. */
export interface AbiData {
	readonly bytes: Buffer;
	wordsLeft: number;
	valuesLeft: number;
}

export function createAbiData(hex: unknown): AbiData {
	const digits = typeof hex === 'string' && /^0x/i.test(hex) ? hex.slice(2) : 'none';
	const bytes = Buffer.from(digits, 'hex');
	// `Buffer.from` stops without an error at the first character that is not a hex digit.
	if (bytes.length * 2 !== digits.length) throw new DecodingError('the data is not 0x-hex');
	const wordsLeft = MAX_READS_PER_WORD * Math.ceil(bytes.length / WORD_BYTES);
	return { bytes, wordsLeft, valuesLeft: MAX_VALUES };
}

/** Returns all bytes of the data, after a check that a whole word is left at `at`. */
export function takeWordAt(data: AbiData, at: number): Buffer {
	if (at + WORD_BYTES > data.bytes.length) throw new DecodingError('the data ends too early');
	spendWords(data, 1);
	spendValues(data, 1);
	return data.bytes;
}

/** Throws if too many values are decoded. It is called before the decoding, and a value that takes long counts as several. */
export function spendValues(data: AbiData, values: number): void {
	data.valuesLeft -= values;
	if (data.valuesLeft < 0)
		throw new DecodingError('the data has so many values that to decode them would hold n8n up');
}

/** Decodes an offset or a length. */
export function decodeNumberAt(data: AbiData, at: number): number {
	const bytes = takeWordAt(data, at);
	const end = at + WORD_BYTES;
	if (!isFilled(bytes, at, end - 6, 0))
		throw new DecodingError('an offset or a length is too large');
	return bytes.readUIntBE(end - 6, 6);
}

/** Decodes the length of a list whose items take at least `itemSize` bytes. */
export function decodeCountAt(data: AbiData, at: number, itemSize: number): number {
	const count = decodeNumberAt(data, at);
	const bytesLeft = data.bytes.length - at - WORD_BYTES;
	if (count * itemSize > bytesLeft) throw new DecodingError('a length is larger than the data');
	return count;
}

/** Decodes bytes that follow their length. */
export function decodeBytesAt(data: AbiData, at: number): Buffer {
	const length = decodeCountAt(data, at, 1);
	spendWords(data, Math.ceil(length / WORD_BYTES));
	return data.bytes.subarray(at + WORD_BYTES, at + WORD_BYTES + length);
}

/** Checks the padding of a value: zeros, or 0xff before a negative number. */
export function checkPadding(bytes: Buffer, from: number, to: number, byte: number): void {
	if (!isFilled(bytes, from, to, byte)) throw new DecodingError('a value does not fit its type');
}

function isFilled(bytes: Buffer, from: number, to: number, byte: number): boolean {
	for (let index = from; index < to; index++) if (bytes[index] !== byte) return false;
	return true;
}

function spendWords(data: AbiData, words: number): void {
	data.wordsLeft -= words;
	if (data.wordsLeft < 0) throw new DecodingError('the same data is referred to again and again');
}

const WORD_DIGITS = 64;

/** Encodes an integer in two's complement, as the hex digits of one word. */
export function encodeInteger(value: bigint): string {
	return BigInt.asUintN(256, value).toString(16).padStart(WORD_DIGITS, '0');
}

/** Encodes an offset or a length. */
export function encodeNumber(value: number): string {
	return value.toString(16).padStart(WORD_DIGITS, '0');
}

/** Pads hex digits with zeros on the right, to whole words. */
export function padToWords(digits: string): string {
	return digits.padEnd(Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS, '0');
}

export function countBytes(digits: string): number {
	return digits.length / 2;
}
