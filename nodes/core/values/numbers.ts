import { isBlank, trimText, wholeNumberParser, type Parse, InvalidValue } from './parse';
import { raise } from '../errors/raise';

/**
 * Returns the largest number of a list. `Math.max(...numbers)` would fail for lists with more entries than a call can
 * have arguments.
 */
export function findLargest(numbers: readonly number[]): number {
	return numbers.reduce((most, one) => Math.max(most, one), -Infinity);
}

export const MAX_UINT32 = 2 ** 32 - 1;
export const MAX_UINT256 = 2n ** 256n - 1n;
const EXPECTED_WHOLE_NUMBER = 'a whole number of 0 or more, decimal or 0x-hex';
const UNSIGNED_PATTERN = /^(\d+|0x[0-9a-f]+)$/i;

/** Parses a uint256 from text or a number. Text may be decimal or 0x-hex. */
export const parseUint256: Parse<bigint> = (given) => parseUnsigned(given, EXPECTED_WHOLE_NUMBER);

/** Parses a whole number of 0 or more. `wanted` describes the accepted notations in the error. */
export function parseUnsigned(given: unknown, wanted: string): bigint {
	const value = parseExactInteger(given, UNSIGNED_PATTERN, wanted);
	if (value < 0n) throw new InvalidValue(wanted);
	return value <= MAX_UINT256 ? value : raise(new InvalidValue('a number below 2^256'));
}

/** Longer texts are refused, because converting very many digits to a BigInt takes long. */
const MAX_INTEGER_CHARS = 1000;

/**
 * Parses an integer. Its text must match `notation`. A value of type number above 2^53 is refused, because it may
 * have lost digits.
 */
export function parseExactInteger(given: unknown, notation: RegExp, wanted: string): bigint {
	const value = typeof given === 'string' ? given.trim() : given;
	if (typeof value === 'bigint') return value;
	if (typeof value === 'string' && value.length > MAX_INTEGER_CHARS) {
		throw new InvalidValue(`a number of at most ${MAX_INTEGER_CHARS} characters`);
	}
	if (typeof value === 'string' && notation.test(value)) return BigInt(value);
	if (typeof value !== 'number' || !Number.isInteger(value)) throw new InvalidValue(wanted);
	return Number.isSafeInteger(value)
		? BigInt(value)
		: raise(
				new InvalidValue('given as text, because a number of this size has lost digits already'),
			);
}

/** Makes a parser for safe integers, from `least` on, in decimal or hex. */
export function safeIntegerParser(least: number): Parse<number> {
	const parse = wholeNumberParser(least);
	return (given) => parse(Number(parseUint256(given)));
}

/**
 * Makes a parser for numbers of 64 bits. `most` may be lower than the largest number, which sometimes has a special
 * meaning.
 */
export function uint64Parser(most: bigint): Parse<bigint> {
	return (given) => {
		const value = parseUint256(given);
		return value <= most ? value : raise(new InvalidValue(`a number of at most ${most}`));
	};
}

/** Parses a number, and returns 0x-hex without leading zeros, as JSON-RPC encodes quantities. */
export const parseQuantity: Parse<string> = (given) => numberToHex(parseUint256(given));

export function numberToHex(amount: bigint | number): string {
	return `0x${amount.toString(16)}`;
}

/** Makes a parser that returns undefined for an empty value. */
export function optionalParser<T>(parse: Parse<T>): Parse<T | undefined> {
	return (given) => (isBlank(given) ? undefined : parse(given));
}

/** Makes a parser for blocks. It accepts one of the tags, or a block number, which becomes 0x-hex. */
export function blockParser(...tags: readonly string[]): Parse<string> {
	return (given) => {
		const name = trimText(given).toLowerCase();
		if (tags.includes(name)) return name;
		const isNumber = typeof given !== 'string' || UNSIGNED_PATTERN.test(name);
		return isNumber && !isBlank(given)
			? parseQuantity(given)
			: raise(new InvalidValue(`${tags.join(', ')}, or a block number, decimal or 0x-hex`));
	};
}
