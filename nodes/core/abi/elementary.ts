import { bytes, checksummed, evmAddress } from '../values/hex';
import { exactInteger } from '../values/numbers';
import { boolean, mustBe, readAs, utf8 } from '../values/read';
import type { Budget } from './budget';
import {
	byteCount,
	contentAt,
	DecodingError,
	expectFilled,
	integerWord,
	numberWord,
	toWords,
	WORD,
	wordAt,
	type ChainData,
} from './data';

/** Decides which field the editor draws for it. */
type AbiForm = 'integer' | 'boolean' | 'address' | 'bytes' | 'text' | 'list' | 'tuple';

/** A codec of an ABI type. */
export interface AbiType {
	/** Canonical, as in signatures. */
	readonly name: string;
	readonly form: AbiForm;
	/** Of the head; 'dynamic' for a dynamic type, whose head is an offset to its tail. */
	readonly words: number | 'dynamic';
	readonly decode: (data: ChainData, at: number) => unknown;
	/** Hex of whole words. Throws InvalidInput, with the label; InvalidValue where the budget ends. */
	readonly encode: (given: unknown, label: string, budget: Budget) => string;
	/** Hex that is hashed into a topic; types without it are a topic as they are. */
	readonly pack?: (given: unknown, label: string, budget: Budget) => string;
	/** The same list or tuple, of changed parts; elementary types have none. */
	readonly withParts?: (change: (part: AbiType) => AbiType) => AbiType;
}

/** One that is neither a list nor a tuple: what is given for it is one value. */
export interface ElementaryType extends AbiType {
	readonly form: Exclude<AbiForm, 'list' | 'tuple'>;
	readonly encode: (given: unknown, label: string) => string;
	readonly pack?: (given: unknown, label: string) => string;
}

/** The words of its head: the value, or the offset to it. */
export function headWords({ words }: AbiType): number {
	return words === 'dynamic' ? 1 : words;
}

const ADDRESS = 20;

const address: ElementaryType = {
	name: 'address',
	form: 'address',
	words: 1,
	decode: (data, at) => {
		const bytes = wordAt(data, at);
		const start = at + WORD - ADDRESS;
		expectFilled(bytes, at, start, 0);
		return checksummed(bytes.toString('hex', start, at + WORD));
	},
	encode: (given, label) =>
		readAs(label, given, evmAddress).slice(2).toLowerCase().padStart(64, '0'),
};

const bool: ElementaryType = {
	name: 'bool',
	form: 'boolean',
	words: 1,
	decode: (data, at) => {
		const bytes = wordAt(data, at);
		const last = at + WORD - 1;
		expectFilled(bytes, at, last, 0);
		if ((bytes[last] ?? 0) > 1) throw new DecodingError('a bool is neither 0 nor 1');
		return bytes[last] === 1;
	},
	encode: (given, label) => numberWord(readAs(label, given, boolean) ? 1 : 0),
};

/** Wider integers become decimal text. */
const NUMBER_BITS = 48;
const NEGATIVE = 0x80;

/** uint8 to uint256. */
function unsigned(bits: number): ElementaryType {
	const size = bits / 8;
	return {
		...integer(`uint${bits}`, 0n, 2n ** BigInt(bits) - 1n),
		decode: (data, at) => {
			const bytes = wordAt(data, at);
			const end = at + WORD;
			expectFilled(bytes, at, end - size, 0);
			if (bits <= NUMBER_BITS) return bytes.readUIntBE(end - size, size);
			return bigInteger(bytes, end - size, end).toString();
		},
	};
}

/** int8 to int256. */
function signed(bits: number): ElementaryType {
	const size = bits / 8;
	const half = 2n ** BigInt(bits - 1);
	return {
		...integer(`int${bits}`, -half, half - 1n),
		decode: (data, at) => {
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
		encode: (given: unknown, label: string) => readAs(label, given, read),
	};
}

/** Enough digits for 256 bits. BigInt of endless ones would take long. */
const SIGNED = /^(-?\d{1,100}|0x[0-9a-f]{1,100})$/i;

/** bytes1 to bytes32. */
function fixedBytes(size: number): ElementaryType {
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
		decode: (data, at) => {
			const found = wordAt(data, at);
			expectFilled(found, at + size, at + WORD, 0);
			return `0x${found.toString('hex', at, at + size)}`;
		},
		encode: (given, label) => readAs(label, given, read),
	};
}

const abiBytes: ElementaryType = {
	...content((given) => bytes(given).slice(2).toLowerCase()),
	name: 'bytes',
	form: 'bytes',
	decode: (data, at) => `0x${contentAt(data, at).toString('hex')}`,
};

/** Invalid UTF-8 from a chain becomes U+FFFD. */
const abiText: ElementaryType = {
	...content((given) => utf8(given).toString('hex')),
	name: 'string',
	form: 'text',
	decode: (data, at) => contentAt(data, at).toString(),
};

function content(digitsOf: (given: unknown) => string) {
	const pack = (given: unknown, label: string) => readAs(label, given, digitsOf);
	const encode = (given: unknown, label: string) => {
		const digits = pack(given, label);
		return numberWord(byteCount(digits)) + toWords(digits);
	};
	return { words: 'dynamic' as const, pack, encode };
}

const TYPES = new Map<string, ElementaryType>([
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

/** The type of a canonical name, or of an alias such as `uint`. */
export function isElementary(name: string): boolean {
	return TYPES.has(name);
}

export function elementary(name: string): ElementaryType {
	return TYPES.get(name) ?? invalidAbi(reason(name));
}

function reason(name: string): string {
	if (name === 'function') return 'function types are not supported';
	if (name === 'mapping') return 'a mapping can be neither an argument nor part of one';
	if (/^u?fixed(\d+x\d+)?$/.test(name)) return 'fixed-point numbers are not supported';
	if (/^u?int\d+$/.test(name)) return `there is no ${name}: integers have 8, 16, 24 … 256 bits`;
	if (/^bytes\d+$/.test(name)) return `there is no ${name}: only bytes1 to bytes32, and bytes`;
	return `'${name}' is not an ABI type; write address for a contract, uint8 for an enum, a tuple such as (uint256 a, address b) for a struct, or declare it beside, as in struct Pair { uint256 a; address b; }`;
}

export function invalidAbi(reason: string): never {
	return mustBe(`a valid signature or JSON ABI: ${reason}`);
}
