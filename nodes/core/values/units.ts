import {
	numberToHex,
	parseExactInteger,
	parseUint256,
	parseUnsigned,
	MAX_UINT256,
} from './numbers';
import { parseText, trimText, type Parse, InvalidValue } from './parse';
import { raise } from '../errors/raise';

export const GWEI_DECIMALS = 9;
export const ETHER_DECIMALS = 18;
/** TRON counts in sun: 1 TRX is 10^6 sun. */
export const SUN_DECIMALS = 6;
/** TON chains count in nanocoins: 1 TON is 10^9 nanocoins. */
export const NANOCOIN_DECIMALS = 9;

/**
 * An exact number: `digits` divided by 10^`scale`, reduced. The scale is negative only for whole numbers with zeros
 * at the end.
 */
export interface Decimal {
	readonly digits: bigint;
	readonly scale: number;
}

const EXPECTED_DECIMAL = 'a number alone, such as 1.5, -0.1, 1e18 or 0x1f';
const DECIMAL_PATTERN = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i;
const HEX_PATTERN = /^0x[0-9a-f]+$/i;

/** Longer texts are refused, because converting very many digits to a BigInt takes long. */
const MAX_DECIMAL_CHARS = 1000;
const MAX_EXPONENT = 1000;

/** Parses a number of any sign and size, in decimal, scientific or 0x-hex notation. Nothing is rounded. */
export const parseDecimal: Parse<Decimal> = (given) => {
	const written = parseText(given);
	if (typeof given === 'number' && mayBeRounded(given)) {
		throw new InvalidValue(
			'given as text, because a number of this length has lost digits already',
		);
	}
	if (written.length > MAX_DECIMAL_CHARS)
		throw new InvalidValue(`a number of at most ${MAX_DECIMAL_CHARS} characters`);
	if (HEX_PATTERN.test(written))
		return buildDecimal(parseExactInteger(written, HEX_PATTERN, EXPECTED_DECIMAL), 0);
	const [, sign, whole = '', fraction = '', exponent = '0'] =
		DECIMAL_PATTERN.exec(written) ?? raise(new InvalidValue(EXPECTED_DECIMAL));
	if (Math.abs(Number(exponent)) > MAX_EXPONENT) {
		throw new InvalidValue(
			`a number whose exponent is between -${MAX_EXPONENT} and ${MAX_EXPONENT}`,
		);
	}
	const digits = BigInt(whole + fraction);
	return buildDecimal(sign === '-' ? -digits : digits, fraction.length - Number(exponent));
};

/**
 * Whether a number may have lost digits. A double has 15 reliable digits, and is exact for whole numbers up to 2^53.
 */
function mayBeRounded(given: number): boolean {
	const [digits = ''] = Math.abs(given).toExponential().split('e');
	return digits.replace('.', '').length > 15 && !Number.isSafeInteger(given);
}

/**
 * Builds the exact number `digits` / 10^`scale`, reduced. For example, it converts an amount in the smallest unit to
 * whole coins.
 */
export function buildDecimal(digits: bigint, scale: number): Decimal {
	if (digits === 0n) return { digits, scale: 0 };
	let least = digits;
	let left = scale;
	while (left > 0 && least % 10n === 0n) {
		least /= 10n;
		left--;
	}
	return { digits: least, scale: left };
}

/** The number times 10^`places`. */
export function shiftDecimal({ digits, scale }: Decimal, places: number): Decimal {
	return buildDecimal(digits, scale - places);
}

/** Converts numbers to the same scale of 0 or more, so that their digits can be compared and subtracted. */
export function alignDecimals(...numbers: readonly Decimal[]) {
	const scale = numbers.reduce((most, one) => Math.max(most, one.scale), 0);
	const digits = numbers.map((one) => one.digits * 10n ** BigInt(scale - one.scale));
	return { digits, scale };
}

/** Formats a number without an exponent, such as 0.0000001 for 1e-7. */
export function formatDecimal({ digits, scale }: Decimal): string {
	return scale > 0 ? formatUnits(digits, scale) : String(digits * 10n ** BigInt(-scale));
}

/** Formats an amount in whole units, like viem's formatUnits: 1500000 with 6 decimals becomes `1.5`. */
export function formatUnits(amount: bigint, decimals: number): string {
	const isNegative = amount < 0n;
	const digits = String(isNegative ? -amount : amount).padStart(decimals + 1, '0');
	const whole = digits.slice(0, digits.length - decimals);
	const fraction = withoutTrailingZeros(digits.slice(digits.length - decimals));
	return `${isNegative ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

/** `/0*$/` would be quadratic. */
function withoutTrailingZeros(digits: string): string {
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	return digits.slice(0, end);
}

const EXPECTED_AMOUNT = 'an amount of 0 or more, such as 1.5';

/** Makes a parser for amounts in whole coins with this many decimals. It returns the smallest unit. */
export function unitsParser(decimals: number): Parse<bigint> {
	return (given) => toUnits(parseAmount(given, EXPECTED_AMOUNT), decimals);
}

/** Makes a parser for numbers of any sign. Text may not have an exponent. */
export function signedAmountParser(wanted: string): Parse<Decimal> {
	return (given) => {
		const written = parseText(given);
		const isNumber =
			typeof given === 'number'
				? Number.isFinite(given)
				: /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(written);
		return isNumber ? parseDecimal(given) : raise(new InvalidValue(wanted));
	};
}

/** Parses an amount whose decimals are not known yet. Returns text without an exponent, which `unitsParser` accepts. */
export const parseAmountText = amountTextParser(EXPECTED_AMOUNT);

/** Makes a parser like `parseAmountText`. Its error says what is expected. */
export function amountTextParser(expected: string): Parse<string> {
	return (given) => formatDecimal(parseAmount(given, expected));
}

/** Parses an amount of whole tokens whose decimals are still unknown. */
export const parseWholeAmount: Parse<Decimal> = (given) => parseAmount(given, EXPECTED_AMOUNT);

/** Compares exactly an amount in the smallest unit with a minimum in whole tokens. */
export function isAtLeast(units: bigint, decimals: number, { digits, scale }: Decimal): boolean {
	const places = scale - decimals;
	return places > 0
		? units * 10n ** BigInt(places) >= digits
		: units >= digits * 10n ** BigInt(-places);
}

function toUnits(whole: Decimal, decimals: number): bigint {
	const { digits, scale } = shiftDecimal(whole, decimals);
	if (scale > 0) throw new InvalidValue(`an amount with at most ${decimals} decimals`);
	const units = digits * 10n ** BigInt(-scale);
	return units <= MAX_UINT256
		? units
		: raise(new InvalidValue('an amount below 2^256 in the smallest unit'));
}

/**
 * Parses an amount of 0 or more. Hex is refused, because most people read it as an amount in the smallest unit. A
 * value of type number may have an exponent, because JavaScript formats small and large numbers with one.
 */
function parseAmount(given: unknown, wanted: string): Decimal {
	const isAmount =
		typeof given === 'number'
			? Number.isFinite(given) && given >= 0
			: /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(parseText(given));
	if (isAmount) return parseDecimal(given);
	throw new InvalidValue(wanted);
}

const EXPECTED_COINS =
	'an amount of 0 or more, in whole coins, such as 0.1, or with a unit, such as 20 gwei';

/** Parses an amount of whole coins, such as `0.1`, or an amount with a unit, such as `20 gwei`. Returns wei. */
export const parseEther: Parse<bigint> = (given) => {
	const isWithUnit = UNIT_PATTERN.test(parseText(given));
	return isWithUnit ? parseWei(given) : toUnits(parseAmount(given, EXPECTED_COINS), ETHER_DECIMALS);
};

const UNIT_DECIMALS = new Map([
	['wei', 0],
	['gwei', GWEI_DECIMALS],
	['eth', ETHER_DECIMALS],
	['ether', ETHER_DECIMALS],
]);
const UNIT_WORDS = [...UNIT_DECIMALS.keys()].join('|');
const UNIT_PATTERN = new RegExp(`^[\\d.]+\\s*(${UNIT_WORDS})$`, 'i');
const AMOUNT_WITH_UNIT_PATTERN = new RegExp(
	`^(?=\\.?\\d)(\\d*)(?:\\.(\\d+))?\\s*(${UNIT_WORDS})$`,
	'i',
);
const EXPECTED_WEI_AMOUNT =
	'an amount of 0 or more, in whole wei or with a unit, such as 20 gwei or 0.1 ether';

/** Longer texts are cut. No uint256 with a unit has more characters. */
const MAX_AMOUNT_CHARS = 120;

/** Parses an amount in wei, or with a unit, such as `1.5 ether`, `.1 ether` or `20 gwei`. */
export const parseWei: Parse<bigint> = (given) => {
	const [, whole, fraction = '', unit = ''] =
		AMOUNT_WITH_UNIT_PATTERN.exec(trimText(given).slice(0, MAX_AMOUNT_CHARS)) ?? [];
	const decimals = UNIT_DECIMALS.get(unit.toLowerCase());
	if (whole === undefined || decimals === undefined)
		return parseUnsigned(given, EXPECTED_WEI_AMOUNT);
	const digits = withoutTrailingZeros(fraction);
	if (digits.length > decimals)
		throw new InvalidValue('an amount with fewer decimals: the smallest unit is 1 wei');
	return parseUint256(`0${whole}${digits.padEnd(decimals, '0')}`);
};

export const parseWeiQuantity: Parse<string> = (given) => numberToHex(parseWei(given));
