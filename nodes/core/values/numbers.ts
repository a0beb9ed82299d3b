import { isBlank, mustBe, type Read } from './read';

const LARGEST = 2n ** 256n - 1n;
const WANTED = 'a whole number of 0 or more, decimal or 0x-hex';

/** A chain's number in any spelling, exact: decimal or hex, as a number or as text. */
export const wholeAmount: Read<bigint> = (given) => {
	const value = exact(typeof given === 'string' ? given.trim() : given);
	return value <= LARGEST ? value : mustBe('a number of at most 256 bits');
};

function exact(given: unknown): bigint {
	if (typeof given === 'bigint') return given >= 0n ? given : mustBe(WANTED);
	if (typeof given === 'string' && /^(\d+|0x[0-9a-f]+)$/i.test(given)) return BigInt(given);
	if (typeof given !== 'number' || !Number.isInteger(given) || given < 0) return mustBe(WANTED);
	return Number.isSafeInteger(given)
		? BigInt(given)
		: mustBe('given as text, because a number of this size has lost digits already');
}

/** A number as JSON-RPC wants it: 0x-hex without leading zeros. */
export const quantity: Read<string> = (given) => `0x${wholeAmount(given).toString(16)}`;

/** A number that may be left out. */
export function optional<T>(read: Read<T>): Read<T | undefined> {
	return (given) => (isBlank(given) ? undefined : read(given));
}

/** One of the named blocks, or a block number. */
export function blockOr(...tags: readonly string[]): Read<string> {
	return (given) => {
		const name = typeof given === 'string' ? given.trim().toLowerCase() : '';
		if (tags.includes(name)) return name;
		const isNumber = typeof given !== 'string' || /^(\d+|0x[0-9a-f]+)$/.test(name);
		return isNumber && !isBlank(given)
			? quantity(given)
			: mustBe(`${tags.join(', ')}, or a block number, decimal or 0x-hex`);
	};
}

/** How many decimals each unit has more than wei. */
const UNITS: Readonly<Record<string, number>> = { wei: 0, gwei: 9, eth: 18, ether: 18 };

/** Longer than any amount of 256 bits. */
const LONGEST = 120;

const WITH_UNIT = /^(\d+)(?:\.(\d+))?\s*(wei|gwei|eth|ether)$/i;

/** An amount in wei, as a number of wei or with its unit: `1.5 ether`, `20 gwei`. */
export const amountInWei: Read<bigint> = (given) => {
	const text = typeof given === 'string' ? given.trim().slice(0, LONGEST) : '';
	const [, whole, fraction = '', unit = ''] = WITH_UNIT.exec(text) ?? [];
	if (whole === undefined) return wholeAmount(given);
	const decimals = UNITS[unit.toLowerCase()] ?? 0;
	const digits = fraction.replace(/0*$/, '');
	if (digits.length > decimals) return mustBe('an amount of whole wei: it has too many decimals');
	return wholeAmount(whole + digits.padEnd(decimals, '0'));
};

/** The same as JSON-RPC wants it. */
export const weiQuantity: Read<string> = (given) => `0x${amountInWei(given).toString(16)}`;

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
