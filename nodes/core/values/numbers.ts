import { isBlank, mustBe, trimmed, wholeNumber, type Read } from './read';

export const GWEI = 9;
export const ETHER = 18;

/** Not `Math.max(...numbers)`: a list may be longer than a call may have arguments. */
export function largest(numbers: readonly number[]): number {
	return numbers.reduce((most, one) => Math.max(most, one), -Infinity);
}

export const MAX_UINT256 = 2n ** 256n - 1n;
const WANTED = 'a whole number of 0 or more, decimal or 0x-hex';
const UNSIGNED = /^(\d+|0x[0-9a-f]+)$/i;

/** A uint256, decimal or 0x-hex, as text or as a number. */
export const wholeAmount: Read<bigint> = (given) => unsigned(given, WANTED);

function unsigned(given: unknown, wanted: string): bigint {
	const value = exactInteger(given, UNSIGNED, wanted);
	if (value < 0n) return mustBe(wanted);
	return value <= MAX_UINT256 ? value : mustBe('a number of at most 256 bits');
}

/** BigInt of endless digits would take long. */
const LONGEST_INTEGER = 1000;

/** Text must match `notation`. A number above 2^53 has lost digits. */
export function exactInteger(given: unknown, notation: RegExp, wanted: string): bigint {
	const value = typeof given === 'string' ? given.trim() : given;
	if (typeof value === 'bigint') return value;
	if (typeof value === 'string' && value.length > LONGEST_INTEGER) {
		return mustBe(`a number of at most ${LONGEST_INTEGER} characters`);
	}
	if (typeof value === 'string' && notation.test(value)) return BigInt(value);
	if (typeof value !== 'number' || !Number.isInteger(value)) return mustBe(wanted);
	return Number.isSafeInteger(value)
		? BigInt(value)
		: mustBe('given as text, because a number of this size has lost digits already');
}

/** Of any notation, as a safe integer. */
export function wholeNumberFrom(least: number): Read<number> {
	const read = wholeNumber(least);
	return (given) => read(Number(wholeAmount(given)));
}

/** 0x-hex without leading zeros, as JSON-RPC encodes quantities. */
export const quantity: Read<string> = (given) => toQuantity(wholeAmount(given));

export function toQuantity(amount: bigint): string {
	return `0x${amount.toString(16)}`;
}

/** Undefined for a blank. */
export function optional<T>(read: Read<T>): Read<T | undefined> {
	return (given) => (isBlank(given) ? undefined : read(given));
}

/** A block tag, or a block number as a quantity. */
export function blockOr(...tags: readonly string[]): Read<string> {
	return (given) => {
		const name = trimmed(given).toLowerCase();
		if (tags.includes(name)) return name;
		const isNumber = typeof given !== 'string' || UNSIGNED.test(name);
		return isNumber && !isBlank(given)
			? quantity(given)
			: mustBe(`${tags.join(', ')}, or a block number, decimal or 0x-hex`);
	};
}

const DECIMALS: Readonly<Record<string, number>> = { wei: 0, gwei: GWEI, eth: ETHER, ether: ETHER };
const WITH_UNIT = /^(?=\.?\d)(\d*)(?:\.(\d+))?\s*(wei|gwei|eth|ether)$/i;
const WANTED_IN_WEI =
	'an amount of 0 or more, in whole wei or with a unit, such as 20 gwei or 0.1 ether';

/** Longer than any uint256 with a unit. */
const LONGEST = 120;

/** Wei, or an amount with its unit: `1.5 ether`, `.1 ether`, `20 gwei`. */
export const amountInWei: Read<bigint> = (given) => {
	const [, whole, fraction = '', unit = ''] =
		WITH_UNIT.exec(trimmed(given).slice(0, LONGEST)) ?? [];
	if (whole === undefined) return unsigned(given, WANTED_IN_WEI);
	const decimals = DECIMALS[unit.toLowerCase()] ?? 0;
	const digits = withoutTrailingZeros(fraction);
	if (digits.length > decimals) return mustBe('an amount of whole wei: it has too many decimals');
	return wholeAmount(`0${whole}${digits.padEnd(decimals, '0')}`);
};

export const weiQuantity: Read<string> = (given) => toQuantity(amountInWei(given));

/** Like viem's formatUnits: 1500000 with 6 decimals is `1.5`. */
export function decimalText(amount: bigint, decimals: number): string {
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
