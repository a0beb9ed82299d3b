import { parseHexBytes } from '../../values/hex';
import { checksumAddress, parseEvmAddress } from '../address';
import { parseExactInteger } from '../../values/numbers';
import { parseBoolean, parseUtf8, parseField, InvalidValue } from '../../values/parse';
import type { Budget } from '../../values/budget';
import {
	countBytes,
	decodeBytesAt,
	DecodingError,
	checkPadding,
	encodeInteger,
	encodeNumber,
	padToWords,
	WORD_BYTES,
	spendValues,
	takeWordAt,
	type AbiData,
} from './data';
import { raise } from '../../errors/raise';

/** The kind of a type, which decides how the editor of n8n shows a field for its value. */
type AbiTypeForm = 'integer' | 'boolean' | 'address' | 'bytes' | 'text' | 'list' | 'tuple';

/** A codec of an ABI type. */
export interface AbiCodec {
	/** Canonical, as in signatures. */
	readonly name: string;
	readonly form: AbiTypeForm;
	/** How many words the head takes; 'dynamic' for a type whose head is the offset of its tail. */
	readonly words: number | 'dynamic';
	readonly decode: (data: AbiData, at: number) => unknown;
	/**
	 * Encodes a value as whole words in hex digits. Throws InvalidInput with the label for a wrong value, and
	 * InvalidValue if the budget is used up.
	 */
	readonly encode: (given: unknown, label: string, budget: Budget) => string;
	/** Returns the hex that is hashed into a topic; types without this function are a topic as they are. */
	readonly pack?: (given: unknown, label: string, budget: Budget) => string;
	/** Returns the type with the names of its components. A type without this function is declared by its name. */
	readonly declare?: () => string;
	/** Returns the same list or tuple with changed parts; elementary types have none. */
	readonly withParts?: (change: (part: AbiCodec) => AbiCodec) => AbiCodec;
}

/** A type that is neither a list nor a tuple. Its input is a single value. */
export interface ElementaryType extends AbiCodec {
	readonly form: Exclude<AbiTypeForm, 'list' | 'tuple'>;
	readonly encode: (given: unknown, label: string, budget: Budget) => string;
	readonly pack?: (given: unknown, label: string) => string;
}

/** Counts the words of a value's head. A dynamic value has a head of one word, which is the offset of the value. */
export function countHeadWords({ words }: AbiCodec): number {
	return words === 'dynamic' ? 1 : words;
}

const ADDRESS_BYTES = 20;
/** Decoding an address takes as long as decoding this many other values, because its checksum is a hash. */
const CHECKSUM_VALUES = 7;

const addressCodec: ElementaryType = {
	name: 'address',
	form: 'address',
	words: 1,
	decode: (data, at) => {
		const bytes = takeWordAt(data, at);
		const start = at + WORD_BYTES - ADDRESS_BYTES;
		checkPadding(bytes, at, start, 0);
		spendValues(data, CHECKSUM_VALUES);
		return checksumAddress(`0x${bytes.toString('hex', start, at + WORD_BYTES)}`);
	},
	encode: (given, label) =>
		parseField(label, given, parseEvmAddress).slice(2).toLowerCase().padStart(64, '0'),
};

const boolCodec: ElementaryType = {
	name: 'bool',
	form: 'boolean',
	words: 1,
	decode: (data, at) => {
		const bytes = takeWordAt(data, at);
		const last = at + WORD_BYTES - 1;
		checkPadding(bytes, at, last, 0);
		if ((bytes[last] ?? 0) > 1) throw new DecodingError('a bool is neither 0 nor 1');
		return bytes[last] === 1;
	},
	encode: (given, label) => encodeNumber(parseField(label, given, parseBoolean) ? 1 : 0),
};

/** Wider integers become decimal text. */
const MAX_NUMBER_BITS = 48;
const SIGN_BIT = 0x80;

/** Codec of uint8 to uint256. */
function buildUintCodec(bits: number): ElementaryType {
	const size = bits / 8;
	return {
		...buildIntegerEncoding(`uint${bits}`, 0n, 2n ** BigInt(bits) - 1n),
		decode: (data, at) => {
			const bytes = takeWordAt(data, at);
			const end = at + WORD_BYTES;
			checkPadding(bytes, at, end - size, 0);
			if (bits <= MAX_NUMBER_BITS) return bytes.readUIntBE(end - size, size);
			return decodeBigInt(bytes, end - size, end).toString();
		},
	};
}

/** Codec of int8 to int256. */
function buildIntCodec(bits: number): ElementaryType {
	const size = bits / 8;
	const half = 2n ** BigInt(bits - 1);
	return {
		...buildIntegerEncoding(`int${bits}`, -half, half - 1n),
		decode: (data, at) => {
			const bytes = takeWordAt(data, at);
			const end = at + WORD_BYTES;
			const isNegative = ((bytes[end - size] ?? 0) & SIGN_BIT) !== 0;
			checkPadding(bytes, at, end - size, isNegative ? 0xff : 0);
			if (bits <= MAX_NUMBER_BITS) return bytes.readIntBE(end - size, size);
			return BigInt.asIntN(bits, decodeBigInt(bytes, end - size, end)).toString();
		},
	};
}

function decodeBigInt(bytes: Buffer, from: number, to: number): bigint {
	return BigInt(`0x${bytes.toString('hex', from, to)}`);
}

function buildIntegerEncoding(name: string, least: bigint, most: bigint) {
	const wanted = `a whole number that fits ${name}, decimal or 0x-hex`;
	const parseInteger = (given: unknown) => {
		const value = parseExactInteger(given, INTEGER_PATTERN, wanted);
		return value >= least && value <= most ? encodeInteger(value) : raise(new InvalidValue(wanted));
	};
	return {
		name,
		form: 'integer' as const,
		words: 1,
		encode: (given: unknown, label: string) => parseField(label, given, parseInteger),
	};
}

/** Limits integers to 100 digits, because BigInt takes long for endless digits. A number of 256 bits has at most 78. */
const INTEGER_PATTERN = /^(-?\d{1,100}|0x[0-9a-f]{1,100})$/i;

/** Codec of bytes1 to bytes32. */
function buildFixedBytesCodec(size: number): ElementaryType {
	const parseFixedBytes = (given: unknown) => {
		const digits = parseHexBytes(given).slice(2).toLowerCase();
		if (countBytes(digits) === size) return padToWords(digits);
		throw new InvalidValue(
			`${size} ${size === 1 ? 'byte' : 'bytes'} as 0x-hex: 0x and ${size * 2} hex digits`,
		);
	};
	return {
		name: `bytes${size}`,
		form: 'bytes',
		words: 1,
		decode: (data, at) => {
			const found = takeWordAt(data, at);
			checkPadding(found, at + size, at + WORD_BYTES, 0);
			return `0x${found.toString('hex', at, at + size)}`;
		},
		encode: (given, label) => parseField(label, given, parseFixedBytes),
	};
}

const bytesCodec: ElementaryType = {
	...buildDynamicEncoding((given) => parseHexBytes(given).slice(2).toLowerCase()),
	name: 'bytes',
	form: 'bytes',
	decode: (data, at) => `0x${decodeBytesAt(data, at).toString('hex')}`,
};

/** Encodes text as UTF-8, and decodes it. Invalid UTF-8 from a chain becomes U+FFFD. */
const stringCodec: ElementaryType = {
	...buildDynamicEncoding((given) => parseUtf8(given).toString('hex')),
	name: 'string',
	form: 'text',
	decode: (data, at) => decodeBytesAt(data, at).toString(),
};

function buildDynamicEncoding(digitsOf: (given: unknown) => string) {
	const pack = (given: unknown, label: string) => parseField(label, given, digitsOf);
	const encode = (given: unknown, label: string, budget: Budget) => {
		const digits = pack(given, label);
		budget.spend(Math.floor(countBytes(digits) / WORD_BYTES));
		return encodeNumber(countBytes(digits)) + padToWords(digits);
	};
	return { words: 'dynamic' as const, pack, encode };
}

const CODECS = new Map<string, ElementaryType>([
	['address', addressCodec],
	['bool', boolCodec],
	['bytes', bytesCodec],
	['string', stringCodec],
	['byte', buildFixedBytesCodec(1)],
	['uint', buildUintCodec(256)],
	['int', buildIntCodec(256)],
]);

for (let size = 1; size <= 32; size++) {
	for (const type of [
		buildUintCodec(size * 8),
		buildIntCodec(size * 8),
		buildFixedBytesCodec(size),
	]) {
		CODECS.set(type.name, type);
	}
}

/** Whether `name` is the canonical name of a type, such as `uint256`, or an alias, such as `uint`. */
export function isElementaryType(name: string): boolean {
	return CODECS.has(name);
}

export function getElementaryCodec(name: string): ElementaryType {
	return CODECS.get(name) ?? raise(invalidAbiError(explainUnknownType(name)));
}

function explainUnknownType(name: string): string {
	if (name === 'function') return 'function types are not supported';
	if (name === 'mapping') return 'a mapping can be neither an argument nor part of one';
	if (/^u?fixed(\d+x\d+)?$/.test(name)) return 'fixed-point numbers are not supported';
	if (/^u?int\d+$/.test(name)) return `there is no ${name}: integers have 8, 16, 24 … 256 bits`;
	if (/^bytes\d+$/.test(name)) return `there is no ${name}: only bytes1 to bytes32, and bytes`;
	return `'${name}' is not an ABI type; write address for a contract, uint8 for an enum, a tuple such as (uint256 a, address b) for a struct, or declare it beside, as in struct Pair { uint256 a; address b; }`;
}

export function invalidAbiError(reason: string) {
	return new InvalidValue(`a valid declaration or JSON ABI: ${reason}`);
}
