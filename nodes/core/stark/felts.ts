import { invalidResponseError } from '../net/responses/response';
import { numberToHex, parseExactInteger } from '../values/numbers';
import { isBlank, type Parse, InvalidValue } from '../values/parse';
import { raise } from '../errors/raise';

/** A felt (field element) is a whole number below this prime. */
export const FIELD_PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;
const FELT_DIGITS = 64;

const ANSWER_FELT_PATTERN = /^0x[0-9a-f]{1,64}$/i;

/** Parses a felt of an answer, which some nodes pad with zeros. Returns undefined for anything else. */
export function tryParseFelt(given: unknown): bigint | undefined {
	if (typeof given !== 'string' || !ANSWER_FELT_PATTERN.test(given)) return undefined;
	const felt = BigInt(given);
	return felt < FIELD_PRIME ? felt : undefined;
}

export function feltParser(promised: string) {
	return (given: unknown): bigint =>
		tryParseFelt(given) ?? raise(invalidResponseError(promised, given));
}

/** Parsing more felts at once would hold up n8n. No call of a contract returns as many. */
const MAX_FELTS = 100_000;

export function feltListParser(promised: string) {
	const parse = feltParser(promised);
	return (given: unknown): bigint[] => {
		if (!Array.isArray(given)) throw invalidResponseError(promised, given);
		return given.length <= MAX_FELTS
			? given.map(parse)
			: raise(invalidResponseError(`${promised} of at most ${MAX_FELTS}`, given));
	};
}

/** Formats a felt as 0x and 64 digits for the user. */
export function formatFelt(felt: bigint): string {
	return `0x${felt.toString(16).padStart(FELT_DIGITS, '0')}`;
}

/** Formats a felt for a request, without leading zeros, which strict nodes refuse. */
export const encodeFelt: (felt: bigint) => string = numberToHex;

const INTEGER_PATTERN = /^(-?\d+|0x[0-9a-f]+)$/i;

/** Whether a text is a number, decimal or 0x-hex. */
export function isNumberText(given: unknown): boolean {
	return typeof given === 'string' && INTEGER_PATTERN.test(given.trim());
}

/** Makes a parser of integers from `least` to `most`, in decimal or 0x-hex. */
export function integerParser(least: bigint, most: bigint, wanted: string): Parse<bigint> {
	return (given) => {
		const value = parseExactInteger(given, INTEGER_PATTERN, wanted);
		return value >= least && value <= most ? value : raise(new InvalidValue(wanted));
	};
}

const EXPECTED_FELT =
	'a felt: a whole number of 0 or more, up to about 3.6 * 10^75, decimal or 0x-hex';

/** Parses a number to a felt. A number that is too large is refused, and not reduced modulo the prime. */
export const parseFeltNumber = integerParser(0n, FIELD_PRIME - 1n, EXPECTED_FELT);

/** Parses a hash of a block, a transaction or a class. */
export const parseFeltHash: Parse<bigint> = (given) =>
	isHexText(given) ? parseFeltNumber(given) : raise(new InvalidValue('a hash as 0x-hex'));

/** Whether a value is 0x-hex. Hashes and addresses must be in 0x-hex, because a decimal number is probably a mistake there. */
export function isHexText(given: unknown): given is string {
	return typeof given === 'string' && /^0x[0-9a-f]+$/i.test(given.trim());
}

const MAX_SHORT_STRING_CHARS = 31;

/** Encodes a short ASCII text as one number. */
export const parseShortString: Parse<bigint> = (given) => {
	const isShort =
		typeof given === 'string' &&
		given.length <= MAX_SHORT_STRING_CHARS &&
		[...given].every((character) => character <= '\x7f');
	if (!isShort || isBlank(given))
		throw new InvalidValue('a number, or text of at most 31 ASCII characters');
	return BigInt(`0x${Buffer.from(given).toString('hex')}`);
};

/** Decodes a number to a text of printable ASCII characters. Returns undefined if it is not such a text. */
export function decodeShortString(felt: bigint): string | undefined {
	if (felt === 0n) return undefined;
	const bytes = numberToBytes(felt);
	const isPrintable = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
	return isPrintable && bytes.length <= MAX_SHORT_STRING_CHARS
		? bytes.toString('latin1')
		: undefined;
}

/** Converts a number to its bytes, the highest first, without leading zeros. */
function numberToBytes(value: bigint): Buffer {
	if (value === 0n) return Buffer.alloc(0);
	const digits = value.toString(16);
	return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}
