import { amountInWei, ETHER, MAX_UINT256, withoutTrailingZeros } from './numbers';
import { mustBe, text, trimmed, type Read } from './read';

const DECIMAL = /^(\d*)(?:\.(\d*))?$/;
/** Longer than any uint256 with 77 decimals. */
const LONGEST = 160;

/** An amount of whole coins, or with a unit: `0.1`, `20 gwei`. */
export const coins: Read<bigint> = (given) =>
	/[a-z]$/i.test(trimmed(given)) ? amountInWei(given) : coinsOf(ETHER)(given);

/** An amount of whole coins of so many decimals, in the smallest unit. */
export function coinsOf(decimals: number): Read<bigint> {
	return (given) => {
		const [, whole = '', fraction = ''] = parsed(given);
		const digits = withoutTrailingZeros(fraction);
		if (digits.length > decimals) {
			return mustBe(`an amount of at most ${decimals} decimals: it has ${digits.length}`);
		}
		const amount = BigInt(`0${whole}${digits.padEnd(decimals, '0')}`);
		return amount <= MAX_UINT256 ? amount : mustBe('an amount of at most 256 bits');
	};
}

/** An amount whose decimals are not known yet, as it was written. */
export const decimalAmount: Read<string> = (given) => {
	parsed(given);
	return text(given);
};

/** More digits than these, a number may have lost some. */
const EXACT_DIGITS = 15;

function parsed(given: unknown): RegExpExecArray {
	const written = text(given);
	const hasLostDigits =
		typeof given === 'number' && written.replace(/\D/g, '').length > EXACT_DIGITS;
	if (hasLostDigits)
		return mustBe('given as text, because a number of so many digits has lost some');
	const found = written.length <= LONGEST && /\d/.test(written) ? DECIMAL.exec(written) : null;
	return found ?? mustBe('an amount of 0 or more, such as 1.5');
}
