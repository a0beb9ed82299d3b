export const GWEI = 9;
export const ETHER = 18;

/** A whole amount of the smallest unit, as exact decimal text in a unit with so many decimals. */
export function decimalText(amount: bigint, decimals: number): string {
	const isNegative = amount < 0n;
	const digits = String(isNegative ? -amount : amount).padStart(decimals + 1, '0');
	const whole = digits.slice(0, digits.length - decimals);
	const fraction = withoutTrailingZeros(digits.slice(digits.length - decimals));
	return `${isNegative ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

function withoutTrailingZeros(digits: string): string {
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	return digits.slice(0, end);
}
