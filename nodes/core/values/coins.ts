import { parseDecimal, formatDecimal, shiftDecimal, type Decimal } from './decimal';
import { parseWei, ETHER_DECIMALS, MAX_UINT256 } from './numbers';
import { throwInvalidValue, parseText, type Parse } from './read';

const EXPECTED_AMOUNT = 'an amount of 0 or more, such as 1.5';
const EXPECTED_COINS =
	'an amount of 0 or more, in whole coins, such as 0.1, or with a unit, such as 20 gwei';

/** Parses an amount of whole coins, or with a unit: `0.1`, `20 gwei`. */
export const parseEther: Parse<bigint> = (given) => {
	const isWithUnit = /^[\d.]+\s*(wei|gwei|eth|ether)$/i.test(parseText(given));
	return isWithUnit
		? parseWei(given)
		: scaleToUnits(parseAmount(given, EXPECTED_COINS), ETHER_DECIMALS);
};

/** Parses an amount of whole coins with this many decimals, to the smallest unit. */
export function unitsParser(decimals: number): Parse<bigint> {
	return (given) => scaleToUnits(parseAmount(given), decimals);
}

/** Parses an amount whose decimals are not known yet to text without an exponent. */
export const parseAmountText: Parse<string> = (given) => formatDecimal(parseAmount(given));

function scaleToUnits(whole: Decimal, decimals: number): bigint {
	const { digits, scale } = shiftDecimal(whole, decimals);
	if (scale > 0) return throwInvalidValue(`an amount of at most ${decimals} decimals`);
	const units = digits * 10n ** BigInt(-scale);
	return units <= MAX_UINT256 ? units : throwInvalidValue('an amount of at most 256 bits');
}

/** Hex is refused, because most people read it as the smallest unit. JavaScript writes small and large numbers with an exponent. */
function parseAmount(given: unknown, wanted = EXPECTED_AMOUNT): Decimal {
	const isAmount =
		typeof given === 'number'
			? Number.isFinite(given) && given >= 0
			: /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(parseText(given));
	return isAmount ? parseDecimal(given) : throwInvalidValue(wanted);
}
