import { formatUnits, parseExactInteger } from './numbers';
import { throwInvalidValue, parseText, type Parse } from './read';

/** An exact number: `digits` / 10^`scale`, in lowest terms. The scale is below 0 only for zeros behind a whole number. */
export interface Decimal {
	readonly digits: bigint;
	readonly scale: number;
}

const EXPECTED_DECIMAL = 'a number alone, such as 1.5, -0.1, 1e18 or 0x1f';
const DECIMAL_PATTERN = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i;
const HEX_PATTERN = /^0x[0-9a-f]+$/i;

/** BigInt would take long over endless digits. */
const MAX_DECIMAL_CHARS = 1000;
const MAX_EXPONENT = 1000;

/** Parses a number of any sign and size, decimal, scientific or 0x-hex, without rounding. */
export const parseDecimal: Parse<Decimal> = (given) => {
	const written = parseText(given);
	if (typeof given === 'number' && mayBeRounded(given)) {
		return throwInvalidValue(
			'given as text, because a number of so many digits has lost some already',
		);
	}
	if (written.length > MAX_DECIMAL_CHARS)
		return throwInvalidValue(`a number of at most ${MAX_DECIMAL_CHARS} characters`);
	if (HEX_PATTERN.test(written))
		return reduceDecimal(parseExactInteger(written, HEX_PATTERN, EXPECTED_DECIMAL), 0);
	const [, sign, whole = '', fraction = '', exponent = '0'] =
		DECIMAL_PATTERN.exec(written) ?? throwInvalidValue(EXPECTED_DECIMAL);
	if (Math.abs(Number(exponent)) > MAX_EXPONENT) {
		return throwInvalidValue(
			`a number whose exponent is between -${MAX_EXPONENT} and ${MAX_EXPONENT}`,
		);
	}
	const digits = BigInt(whole + fraction);
	return reduceDecimal(sign === '-' ? -digits : digits, fraction.length - Number(exponent));
};

/** Doubles keep 15 significant digits, and whole numbers up to 2^53. */
function mayBeRounded(given: number): boolean {
	const [digits = ''] = Math.abs(given).toExponential().split('e');
	return digits.replace('.', '').length > 15 && !Number.isSafeInteger(given);
}

/** Removes trailing zeros of the fraction. */
function reduceDecimal(digits: bigint, scale: number): Decimal {
	if (digits === 0n) return { digits, scale: 0 };
	let least = digits;
	let left = scale;
	while (left > 0 && least % 10n === 0n) {
		least /= 10n;
		left--;
	}
	return { digits: least, scale: left };
}

/** Multiplies by 10^`places`. */
export function shiftDecimal({ digits, scale }: Decimal, places: number): Decimal {
	return reduceDecimal(digits, scale - places);
}

/** Formats without an exponent. */
export function formatDecimal({ digits, scale }: Decimal): string {
	return scale > 0 ? formatUnits(digits, scale) : String(digits * 10n ** BigInt(-scale));
}
