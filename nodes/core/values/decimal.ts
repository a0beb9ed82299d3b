import { decimalText, exactInteger } from './numbers';
import { mustBe, text, type Read } from './read';

/** An exact number: `digits` / 10^`scale`, in lowest terms. The scale is below 0 only for zeros behind a whole number. */
export interface Decimal {
	readonly digits: bigint;
	readonly scale: number;
}

const WANTED = 'a number alone, such as 1.5, -0.1, 1e18 or 0x1f';
const DECIMAL = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i;
const HEX = /^0x[0-9a-f]+$/i;

/** BigInt of endless digits would take long. */
const LONGEST = 1000;
const FARTHEST = 1000;

/** Of any sign and size, decimal, scientific or 0x-hex; nothing is rounded. */
export const decimal: Read<Decimal> = (given) => {
	const written = text(given);
	if (typeof given === 'number' && mayBeRounded(given)) {
		return mustBe('given as text, because a number of so many digits has lost some already');
	}
	if (written.length > LONGEST) return mustBe(`a number of at most ${LONGEST} characters`);
	if (HEX.test(written)) return lowest(exactInteger(written, HEX, WANTED), 0);
	const [, sign, whole = '', fraction = '', exponent = '0'] =
		DECIMAL.exec(written) ?? mustBe(WANTED);
	if (Math.abs(Number(exponent)) > FARTHEST) {
		return mustBe(`a number whose exponent is between -${FARTHEST} and ${FARTHEST}`);
	}
	const digits = BigInt(whole + fraction);
	return lowest(sign === '-' ? -digits : digits, fraction.length - Number(exponent));
};

/** Doubles keep 15 significant digits, and whole numbers up to 2^53. */
function mayBeRounded(given: number): boolean {
	const [digits = ''] = Math.abs(given).toExponential().split('e');
	return digits.replace('.', '').length > 15 && !Number.isSafeInteger(given);
}

/** Without the zeros at the end of what is not whole. */
function lowest(digits: bigint, scale: number): Decimal {
	if (digits === 0n) return { digits, scale: 0 };
	let least = digits;
	let left = scale;
	while (left > 0 && least % 10n === 0n) {
		least /= 10n;
		left--;
	}
	return { digits: least, scale: left };
}

/** Times 10^`places`. */
export function shifted({ digits, scale }: Decimal, places: number): Decimal {
	return lowest(digits, scale - places);
}

/** Without an exponent. */
export function plainText({ digits, scale }: Decimal): string {
	return scale > 0 ? decimalText(digits, scale) : String(digits * 10n ** BigInt(-scale));
}
