import {
	byteCount,
	contentAt,
	DecodingError,
	expectFilled,
	integerWord,
	invalidAbi,
	numberWord,
	toWords,
	WORD,
	wordAt,
	type ChainData,
} from './data';
import { boolean, mustBe, readAs } from '../values/read';
import { bytes, checksummed, evmAddress } from '../values/hex';
import { exactInteger } from '../values/numbers';

/** What a value is to the user, who fills a field with it. */
type AbiForm = 'integer' | 'boolean' | 'address' | 'bytes' | 'text' | 'list' | 'tuple';

/** A type of the ABI as a value: its name, the room it takes, how it is read from a chain and written for it. */
export interface AbiType {
	/** As it stands in the text whose hash is a selector or a topic. */
	readonly name: string;
	readonly form: AbiForm;
	/** How many words it takes in its place. A type of any length stands elsewhere, and its place says where. */
	readonly words: number | 'any';
	/** The value that stands here. */
	readonly read: (data: ChainData, at: number) => unknown;
	/** Hex of whole words; refuses what does not fit under the label. */
	readonly write: (given: unknown, label: string) => string;
	/** Hex that an indexed value is hashed from; a type without it stands in the topic as it is. */
	readonly pack?: (given: unknown, label: string) => string;
}

/** How many words hold its place in a list or a tuple: the value itself, or where it stands. */
export function placeWords({ words }: AbiType): number {
	return words === 'any' ? 1 : words;
}

const ADDRESS = 20;

const address: AbiType = {
	name: 'address',
	form: 'address',
	words: 1,
	read: (data, at) => {
		const bytes = wordAt(data, at);
		const start = at + WORD - ADDRESS;
		expectFilled(bytes, at, start, 0);
		return checksummed(bytes.toString('hex', start, at + WORD));
	},
	write: (given, label) =>
		readAs(label, given, evmAddress).slice(2).toLowerCase().padStart(64, '0'),
};

const bool: AbiType = {
	name: 'bool',
	form: 'boolean',
	words: 1,
	read: (data, at) => {
		const bytes = wordAt(data, at);
		const last = at + WORD - 1;
		expectFilled(bytes, at, last, 0);
		if ((bytes[last] ?? 0) > 1) throw new DecodingError('a bool is neither 0 nor 1');
		return bytes[last] === 1;
	},
	write: (given, label) => numberWord(readAs(label, given, boolean) ? 1 : 0),
};

/** Integers of up to so many bits are numbers, wider ones decimal text. */
const NUMBER_BITS = 48;
const NEGATIVE = 0x80;

/** uint8 to uint256. */
function unsigned(bits: number): AbiType {
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
function signed(bits: number): AbiType {
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
		const value = exactInteger(given, SIGNED, wanted);
		return value >= least && value <= most ? integerWord(value) : mustBe(wanted);
	};
	return {
		name,
		form: 'integer' as const,
		words: 1,
		write: (given: unknown, label: string) => readAs(label, given, read),
	};
}

/** Enough digits for 256 bits. BigInt of endless ones would take long. */
const SIGNED = /^(-?\d{1,100}|0x[0-9a-f]{1,100})$/i;

/** bytes1 to bytes32. */
function fixedBytes(size: number): AbiType {
	const read = (given: unknown) => {
		const digits = bytes(given).slice(2).toLowerCase();
		if (byteCount(digits) === size) return toWords(digits);
		return mustBe(
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
const abiBytes: AbiType = {
	...content((given) => bytes(given).slice(2).toLowerCase()),
	name: 'bytes',
	form: 'bytes',
	read: (data, at) => `0x${contentAt(data, at).toString('hex')}`,
};

/** Text in UTF-8. Bytes from a chain that are none come out as U+FFFD. */
const abiText: AbiType = {
	...content(utf8),
	name: 'string',
	form: 'text',
	read: (data, at) => contentAt(data, at).toString(),
};

/** Only what UTF-8 can say: half of a character would become U+FFFD. */
function utf8(given: unknown): string {
	if (typeof given !== 'string') return mustBe('text');
	const encoded = Buffer.from(given);
	return encoded.toString() === given ? encoded.toString('hex') : mustBe('valid Unicode text');
}

function content(digitsOf: (given: unknown) => string) {
	const pack = (given: unknown, label: string) => readAs(label, given, digitsOf);
	const write = (given: unknown, label: string) => {
		const digits = pack(given, label);
		return numberWord(byteCount(digits)) + toWords(digits);
	};
	return { words: 'any' as const, pack, write };
}

const TYPES = new Map<string, AbiType>([
	['address', address],
	['bool', bool],
	['bytes', abiBytes],
	['string', abiText],
	['byte', fixedBytes(1)],
	['uint', unsigned(256)],
	['int', signed(256)],
]);

for (let size = 1; size <= 32; size++) {
	for (const type of [unsigned(size * 8), signed(size * 8), fixedBytes(size)]) {
		TYPES.set(type.name, type);
	}
}

/** The type of this name, long or short. */
export function elementary(name: string): AbiType {
	return TYPES.get(name) ?? invalidAbi(reason(name));
}

function reason(name: string): string {
	if (name === 'function') return 'function types are not supported';
	if (/^u?fixed(\d+x\d+)?$/.test(name)) return 'fixed-point numbers are not supported';
	if (/^u?int\d+$/.test(name)) return `there is no ${name}: integers have 8, 16, 24 … 256 bits`;
	if (/^bytes\d+$/.test(name)) return `there is no ${name}: only bytes1 to bytes32, and bytes`;
	return `'${name}' is not an ABI type; write address for a contract, uint8 for an enum, a tuple such as (uint256 a, address b) for a struct`;
}
