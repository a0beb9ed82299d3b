import { isBlank, throwInvalidValue, trimText, wholeNumberParser, type Parse } from './read';

export const GWEI_DECIMALS = 9;
export const ETHER_DECIMALS = 18;

/** `Math.max(...numbers)` would fail: a list may be longer than a call may have arguments. */
export function findLargest(numbers: readonly number[]): number {
	return numbers.reduce((most, one) => Math.max(most, one), -Infinity);
}

export const MAX_UINT256 = 2n ** 256n - 1n;
const EXPECTED_WHOLE_NUMBER = 'a whole number of 0 or more, decimal or 0x-hex';
const UNSIGNED_PATTERN = /^(\d+|0x[0-9a-f]+)$/i;

/** Parses a uint256, decimal or 0x-hex, as text or as a number. */
export const parseUint256: Parse<bigint> = (given) => parseUnsigned(given, EXPECTED_WHOLE_NUMBER);

function parseUnsigned(given: unknown, wanted: string): bigint {
	const value = parseExactInteger(given, UNSIGNED_PATTERN, wanted);
	if (value < 0n) return throwInvalidValue(wanted);
	return value <= MAX_UINT256 ? value : throwInvalidValue('a number of at most 256 bits');
}

/** BigInt would take long over endless digits. */
const MAX_INTEGER_CHARS = 1000;

/** Parses an integer whose text matches `notation`. A number above 2^53 has lost digits and is refused. */
export function parseExactInteger(given: unknown, notation: RegExp, wanted: string): bigint {
	const value = typeof given === 'string' ? given.trim() : given;
	if (typeof value === 'bigint') return value;
	if (typeof value === 'string' && value.length > MAX_INTEGER_CHARS) {
		return throwInvalidValue(`a number of at most ${MAX_INTEGER_CHARS} characters`);
	}
	if (typeof value === 'string' && notation.test(value)) return BigInt(value);
	if (typeof value !== 'number' || !Number.isInteger(value)) return throwInvalidValue(wanted);
	return Number.isSafeInteger(value)
		? BigInt(value)
		: throwInvalidValue('given as text, because a number of this size has lost digits already');
}

/** Parses any notation to a safe integer. */
export function safeIntegerParser(least: number): Parse<number> {
	const read = wholeNumberParser(least);
	return (given) => read(Number(parseUint256(given)));
}

/** Parses to 0x-hex without leading zeros, as JSON-RPC encodes quantities. */
export const parseQuantity: Parse<string> = (given) => numberToHex(parseUint256(given));

export function numberToHex(amount: bigint): string {
	return `0x${amount.toString(16)}`;
}

/** Parses a blank to undefined. */
export function optionalParser<T>(read: Parse<T>): Parse<T | undefined> {
	return (given) => (isBlank(given) ? undefined : read(given));
}

/** Parses a block tag, or a block number to a quantity. */
export function blockParser(...tags: readonly string[]): Parse<string> {
	return (given) => {
		const name = trimText(given).toLowerCase();
		if (tags.includes(name)) return name;
		const isNumber = typeof given !== 'string' || UNSIGNED_PATTERN.test(name);
		return isNumber && !isBlank(given)
			? parseQuantity(given)
			: throwInvalidValue(`${tags.join(', ')}, or a block number, decimal or 0x-hex`);
	};
}

const UNIT_DECIMALS: Readonly<Record<string, number>> = {
	wei: 0,
	gwei: GWEI_DECIMALS,
	eth: ETHER_DECIMALS,
	ether: ETHER_DECIMALS,
};
const AMOUNT_WITH_UNIT_PATTERN = /^(?=\.?\d)(\d*)(?:\.(\d+))?\s*(wei|gwei|eth|ether)$/i;
const EXPECTED_WEI_AMOUNT =
	'an amount of 0 or more, in whole wei or with a unit, such as 20 gwei or 0.1 ether';

/** No uint256 with a unit is longer. */
const MAX_AMOUNT_CHARS = 120;

/** Parses wei, or an amount with its unit: `1.5 ether`, `.1 ether`, `20 gwei`. */
export const parseWei: Parse<bigint> = (given) => {
	const [, whole, fraction = '', unit = ''] =
		AMOUNT_WITH_UNIT_PATTERN.exec(trimText(given).slice(0, MAX_AMOUNT_CHARS)) ?? [];
	if (whole === undefined) return parseUnsigned(given, EXPECTED_WEI_AMOUNT);
	const decimals = UNIT_DECIMALS[unit.toLowerCase()] ?? 0;
	const digits = withoutTrailingZeros(fraction);
	if (digits.length > decimals)
		return throwInvalidValue('an amount of whole wei: it has too many decimals');
	return parseUint256(`0${whole}${digits.padEnd(decimals, '0')}`);
};

export const parseWeiQuantity: Parse<string> = (given) => numberToHex(parseWei(given));

/** Formats like viem's formatUnits: 1500000 with 6 decimals is `1.5`. */
export function formatUnits(amount: bigint, decimals: number): string {
	const isNegative = amount < 0n;
	const digits = String(isNegative ? -amount : amount).padStart(decimals + 1, '0');
	const whole = digits.slice(0, digits.length - decimals);
	const fraction = withoutTrailingZeros(digits.slice(digits.length - decimals));
	return `${isNegative ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

/** The pattern `/0*$/` would take quadratic time. */
function withoutTrailingZeros(digits: string): string {
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	return digits.slice(0, end);
}
