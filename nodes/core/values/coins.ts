import { decimal, plainText, shifted, type Decimal } from './decimal';
import { amountInWei, ETHER, MAX_UINT256 } from './numbers';
import { mustBe, text, type Read } from './read';

const WANTED = 'an amount of 0 or more, such as 1.5';
const WANTED_IN_COINS =
	'an amount of 0 or more, in whole coins, such as 0.1, or with a unit, such as 20 gwei';

/** An amount of whole coins, or with a unit: `0.1`, `20 gwei`. */
export const coins: Read<bigint> = (given) => {
	const isWithUnit = /^[\d.]+\s*(wei|gwei|eth|ether)$/i.test(text(given));
	return isWithUnit ? amountInWei(given) : unitsOf(amount(given, WANTED_IN_COINS), ETHER);
};

/** An amount of whole coins of so many decimals, in the smallest unit. */
export function coinsOf(decimals: number): Read<bigint> {
	return (given) => unitsOf(amount(given), decimals);
}

/** An amount whose decimals are not known yet, without an exponent. */
export const coinAmount: Read<string> = (given) => plainText(amount(given));

function unitsOf(whole: Decimal, decimals: number): bigint {
	const { digits, scale } = shifted(whole, decimals);
	if (scale > 0) return mustBe(`an amount of at most ${decimals} decimals`);
	const units = digits * 10n ** BigInt(-scale);
	return units <= MAX_UINT256 ? units : mustBe('an amount of at most 256 bits');
}

/** Hex means the smallest unit to most, and is not taken. JavaScript writes small and large numbers with an exponent. */
function amount(given: unknown, wanted = WANTED): Decimal {
	const isAmount =
		typeof given === 'number'
			? Number.isFinite(given) && given >= 0
			: /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text(given));
	return isAmount ? decimal(given) : mustBe(wanted);
}
