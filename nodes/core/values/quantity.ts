import type { Read } from './read';
import { isBlank, unfit } from './read';

const LARGEST = 2n ** 256n - 1n;
const WANTED = 'a whole number of 0 or more, decimal or 0x-hex';

/** A chain's number in any spelling, exact: decimal or hex, as a number or as text. */
export const wholeAmount: Read<bigint> = (given) => {
	const value = exact(typeof given === 'string' ? given.trim() : given);
	return value <= LARGEST ? value : unfit('a number of at most 256 bits');
};

function exact(given: unknown): bigint {
	if (typeof given === 'bigint') return given >= 0n ? given : unfit(WANTED);
	if (typeof given === 'string' && /^(\d+|0x[0-9a-f]+)$/i.test(given)) return BigInt(given);
	if (typeof given !== 'number' || !Number.isInteger(given) || given < 0) return unfit(WANTED);
	return Number.isSafeInteger(given)
		? BigInt(given)
		: unfit('given as text, because a number of this size has lost digits already');
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
			: unfit(`${tags.join(', ')}, or a block number, decimal or 0x-hex`);
	};
}
