import { encodeHex } from '../../values/hex';
import { InvalidValue, parseUtf8, parseField, type Parse } from '../../values/parse';
import type { CairoCodec } from './codec';
import { raise } from '../../errors/raise';
import { DecodingError, type FeltReader, type FeltWriter } from './data';

const WORD_BYTES = 31;
/** The fewest felts of a text: the count of its words, the bytes after the last whole word, and their number. */
const LEAST_FELTS = 3;

/** More than a transaction carries. */
const MAX_TEXT_BYTES = 5000 * WORD_BYTES;

const parseBytes: Parse<Buffer> = (given) => {
	const isLong = typeof given === 'string' && Buffer.byteLength(given) > MAX_TEXT_BYTES;
	return isLong
		? raise(new InvalidValue(`text of at most ${MAX_TEXT_BYTES} bytes`))
		: parseUtf8(given);
};

/** Encodes a text as words of 31 bytes, then the remaining bytes, and then their number. */
export const byteArrayCodec: CairoCodec = {
	name: 'ByteArray',
	form: 'text',
	leastFelts: LEAST_FELTS,
	decode: (data) => formatBytes(decodeByteArray(data)),
	encode: (given, label, to) => encodeByteArray(parseField(label, given, parseBytes), to),
};

export function decodeByteArray(data: FeltReader): Buffer {
	const count = data.takeLength(1);
	const words: Buffer[] = [];
	for (let word = 0; word < count; word++) words.push(toBytes(data.take(), WORD_BYTES));
	const rest = data.take();
	const length = data.take();
	if (length >= WORD_BYTES) throw new DecodingError('the end of a text is too long');
	return Buffer.concat([...words, toBytes(rest, Number(length))]);
}

function toBytes(felt: bigint, size: number): Buffer {
	const digits = felt.toString(16).padStart(size * 2, '0');
	if (digits.length > size * 2 && felt !== 0n)
		throw new DecodingError('a part of a text is larger than its length');
	return Buffer.from(digits.slice(0, size * 2), 'hex');
}

/** Formats bytes as text. Bytes that are not UTF-8 become 0x-hex. */
function formatBytes(bytes: Buffer): string {
	const text = bytes.toString();
	return Buffer.from(text).equals(bytes) ? text : encodeHex(bytes);
}

function encodeByteArray(bytes: Buffer, { felts, budget }: FeltWriter): void {
	const words = Math.floor(bytes.length / WORD_BYTES);
	budget.spend(words);
	felts.push(BigInt(words));
	for (let at = 0; at < words * WORD_BYTES; at += WORD_BYTES)
		felts.push(toNumber(bytes.subarray(at, at + WORD_BYTES)));
	felts.push(toNumber(bytes.subarray(words * WORD_BYTES)), BigInt(bytes.length % WORD_BYTES));
}

function toNumber(bytes: Buffer): bigint {
	return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`);
}
