import { readAs, unfit } from '../../../values/read';
import { expectFilled, WORD, wordAt } from './chainData';
import type { AbiType } from './type';
import { integerWord } from './words';

/** Integers of up to so many bits are numbers, wider ones decimal text. */
const NUMBER_BITS = 48;
const NEGATIVE = 0x80;

/** uint8 to uint256. */
export function unsigned(bits: number): AbiType {
	const size = bits / 8;
	return {
		...integer(`uint${bits}`, 0n, 2n ** BigInt(bits) - 1n),
		read: (data, at) => {
			const bytes = wordAt(data, at);
			const end = at + WORD;
			expectFilled(bytes, at, end - size, 0);
			if (bits <= NUMBER_BITS) return bytes.readUIntBE(end - size, size);
			return bigInteger(bytes, end - size, end).toString();
		},
	};
}

/** int8 to int256. */
export function signed(bits: number): AbiType {
	const size = bits / 8;
	const half = 2n ** BigInt(bits - 1);
	return {
		...integer(`int${bits}`, -half, half - 1n),
		read: (data, at) => {
			const bytes = wordAt(data, at);
			const end = at + WORD;
			const isNegative = ((bytes[end - size] ?? 0) & NEGATIVE) !== 0;
			expectFilled(bytes, at, end - size, isNegative ? 0xff : 0);
			if (bits <= NUMBER_BITS) return bytes.readIntBE(end - size, size);
			return BigInt.asIntN(bits, bigInteger(bytes, end - size, end)).toString();
		},
	};
}

function bigInteger(bytes: Buffer, from: number, to: number): bigint {
	return BigInt(`0x${bytes.toString('hex', from, to)}`);
}

function integer(name: string, least: bigint, most: bigint) {
	const wanted = `a whole number that fits ${name}, decimal or 0x-hex`;
	const read = (given: unknown) => {
		const value = exact(typeof given === 'string' ? given.trim() : given, wanted);
		return value >= least && value <= most ? integerWord(value) : unfit(wanted);
	};
	return {
		name,
		form: 'integer' as const,
		words: 1,
		write: (given: unknown, label: string) => readAs(label, given, read),
	};
}

const DECIMAL = /^-?\d{1,100}$/;
const HEX = /^0x[0-9a-f]{1,100}$/i;

function exact(given: unknown, wanted: string): bigint {
	if (typeof given === 'bigint') return given;
	if (typeof given === 'string' && (DECIMAL.test(given) || HEX.test(given))) return BigInt(given);
	if (typeof given !== 'number' || !Number.isInteger(given)) return unfit(wanted);
	return Number.isSafeInteger(given)
		? BigInt(given)
		: unfit('given as text, because a number of this size has lost digits already');
}
