import { isBlank, trimText, wholeNumberParser, type Parse, InvalidValue } from './parse';
import { raise } from '../errors/raise';

/** Not `Math.max(...numbers)`: a list may be longer than a call may have arguments. */
export function findLargest(numbers: readonly number[]): number {
	return numbers.reduce((most, one) => Math.max(most, one), -Infinity);
}

export const MAX_UINT32 = 2 ** 32 - 1;
export const MAX_UINT256 = 2n ** 256n - 1n;
const EXPECTED_WHOLE_NUMBER = 'a whole number of 0 or more, decimal or 0x-hex';
const UNSIGNED_PATTERN = /^(\d+|0x[0-9a-f]+)$/i;

/** Parses a uint256, decimal or 0x-hex, as text or as a number. */
export const parseUint256: Parse<bigint> = (given) => parseUnsigned(given, EXPECTED_WHOLE_NUMBER);

/** Parses a whole number of 0 or more; `wanted` names the other notations that the caller takes. */
export function parseUnsigned(given: unknown, wanted: string): bigint {
	const value = parseExactInteger(given, UNSIGNED_PATTERN, wanted);
	if (value < 0n) throw new InvalidValue(wanted);
	return value <= MAX_UINT256 ? value : raise(new InvalidValue('a number of at most 256 bits'));
}

/** BigInt would take long for endless digits. */
const MAX_INTEGER_CHARS = 1000;

/** Parses an integer whose text matches `notation`. A number above 2^53 has lost digits and is refused. */
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

/** A safe integer in any notation. */
export function safeIntegerParser(least: number): Parse<number> {
	const parse = wholeNumberParser(least);
	return (given) => parse(Number(parseUint256(given)));
}

/** A number of 64 bits. The largest value may have a special meaning. */
export function uint64Parser(most: bigint): Parse<bigint> {
	return (given) => {
		const value = parseUint256(given);
		return value <= most ? value : raise(new InvalidValue('a number of at most 64 bits'));
	};
}

/** Parses to 0x-hex without leading zeros, as JSON-RPC encodes quantities. */
export const parseQuantity: Parse<string> = (given) => numberToHex(parseUint256(given));

export function numberToHex(amount: bigint | number): string {
	return `0x${amount.toString(16)}`;
}

/** A blank is parsed to undefined. */
export function optionalParser<T>(parse: Parse<T>): Parse<T | undefined> {
	return (given) => (isBlank(given) ? undefined : parse(given));
}

/** Parses a block tag, or a block number to a quantity. */
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
