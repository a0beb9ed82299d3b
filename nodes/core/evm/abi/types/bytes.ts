import { readAs, unfit } from '../../../values/read';
import { bytes } from '../../../values/hex';
import { contentAt, expectFilled, WORD, wordAt } from './chainData';
import type { AbiType } from './type';
import { byteCount, numberWord, toWords } from './words';

/** bytes1 to bytes32. */
export function fixedBytes(size: number): AbiType {
	const read = (given: unknown) => {
		const digits = bytes(given).slice(2).toLowerCase();
		if (byteCount(digits) === size) return toWords(digits);
		return unfit(
			`${size} ${size === 1 ? 'byte' : 'bytes'} as 0x-hex: 0x and ${size * 2} hex digits`,
		);
	};
	return {
		name: `bytes${size}`,
		form: 'bytes',
		words: 1,
		read: (data, at) => {
			const found = wordAt(data, at);
			expectFilled(found, at + size, at + WORD, 0);
			return `0x${found.toString('hex', at, at + size)}`;
		},
		write: (given, label) => readAs(label, given, read),
	};
}

/** Bytes of any length. */
export const abiBytes: AbiType = {
	...content((given) => bytes(given).slice(2).toLowerCase()),
	name: 'bytes',
	form: 'bytes',
	read: (data, at) => `0x${contentAt(data, at).toString('hex')}`,
};

/** Text in UTF-8. Bytes from a chain that are none come out as U+FFFD. */
export const abiText: AbiType = {
	...content(utf8),
	name: 'string',
	form: 'text',
	read: (data, at) => contentAt(data, at).toString(),
};

/** Only what UTF-8 can say: half of a character would become U+FFFD. */
function utf8(given: unknown): string {
	if (typeof given !== 'string') return unfit('text');
	const encoded = Buffer.from(given);
	return encoded.toString() === given ? encoded.toString('hex') : unfit('valid Unicode text');
}

function content(digitsOf: (given: unknown) => string) {
	const pack = (given: unknown, label: string) => readAs(label, given, digitsOf);
	const write = (given: unknown, label: string) => {
		const digits = pack(given, label);
		return numberWord(byteCount(digits)) + toWords(digits);
	};
	return { words: 'any' as const, pack, write };
}
