import { decimal, shifted, type Decimal } from './decimal';
import { amountInWei, ETHER, MAX_UINT256 } from './numbers';
import { mustBe, text, trimmed, type Read } from './read';

/** An amount of whole coins, or with a unit: `0.1`, `20 gwei`. */
export const coins: Read<bigint> = (given) =>
	/[a-z]$/i.test(trimmed(given)) ? amountInWei(given) : coinsOf(ETHER)(given);

/** An amount of whole coins of so many decimals, in the smallest unit. */
export function coinsOf(decimals: number): Read<bigint> {
	return (given) => {
		const { digits, scale } = shifted(amount(given), decimals);
		if (scale > 0) return mustBe(`an amount of at most ${decimals} decimals`);
		const units = digits * 10n ** BigInt(-scale);
		return units <= MAX_UINT256 ? units : mustBe('an amount of at most 256 bits');
	};
}

/** An amount whose decimals are not known yet, as it was written. */
export const coinAmount: Read<string> = (given) => {
	amount(given);
	return text(given);
};

/** Hex means the smallest unit to most, and is not taken. */
function amount(given: unknown): Decimal {
	return /^(?=\.?\d)\d*\.?\d*$/.test(text(given))
		? decimal(given)
		: mustBe('an amount of 0 or more, such as 1.5');
}
