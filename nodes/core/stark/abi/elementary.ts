import {
	decodeShortString,
	FIELD_PRIME,
	formatFelt,
	integerParser,
	isNumberText,
	parseFeltNumber,
	parseShortString,
} from '../felts';
import { parseBoolean, isRecord, type Parse, parseField, InvalidValue } from '../../values/parse';
import { invalidAbiError, type CairoCodec } from './codec';
import { DecodingError } from './data';

type DecodeFelt = (felt: bigint) => unknown;

function buildFeltCodec(name: string, parse: Parse<bigint>, decode: DecodeFelt): CairoCodec {
	return {
		name,
		form: 'value',
		leastFelts: 1,
		decode: (data) => decode(data.take()),
		encode: (given, label, to) => void to.felts.push(parseField(label, given, parse)),
	};
}

/** Parses a felt. A text that is not a number is taken as a short string of ASCII characters. */
const parseFelt: Parse<bigint> = (given) =>
	typeof given === 'string' && !isNumberText(given)
		? parseShortString(given)
		: parseFeltNumber(given);

function buildHexCodec(name: string): CairoCodec {
	return buildFeltCodec(name, parseFeltNumber, formatFelt);
}

const MAX_ETH_ADDRESS = 2n ** 160n - 1n;
const ETH_ADDRESS_DIGITS = 40;

const ethAddressCodec = buildFeltCodec(
	'EthAddress',
	integerParser(0n, MAX_ETH_ADDRESS, 'an address of 20 bytes as 0x-hex'),
	(felt) =>
		`0x${requireAtMost(felt, MAX_ETH_ADDRESS).toString(16).padStart(ETH_ADDRESS_DIGITS, '0')}`,
);

function requireAtMost(felt: bigint, most: bigint): bigint {
	if (felt > most) throw new DecodingError('a value does not fit its type');
	return felt;
}

/** An integer with more bits is decoded to decimal text. */
const MAX_NUMBER_BITS = 48;

/**
 * Builds the codec of an integer between two bounds. A negative integer is encoded as its distance from the field's
 * prime.
 */
function buildIntegerCodec(name: string, bits: number, least: bigint, most: bigint): CairoCodec {
	const parse = integerParser(least, most, `${name}: a whole number from ${least} to ${most}`);
	return buildFeltCodec(
		name,
		(given) => toField(parse(given)),
		(felt) => {
			const isNegative = felt > most && least < 0n;
			const value = isNegative ? felt - FIELD_PRIME : felt;
			if (value < least || value > most) throw new DecodingError('a value does not fit its type');
			return bits <= MAX_NUMBER_BITS ? Number(value) : value.toString();
		},
	);
}

function buildUintCodec(name: string, bits: number): CairoCodec {
	return buildIntegerCodec(name, bits, 0n, 2n ** BigInt(bits) - 1n);
}

function buildIntCodec(bits: number): CairoCodec {
	const half = 2n ** BigInt(bits - 1);
	return buildIntegerCodec(`i${bits}`, bits, -half, half - 1n);
}

/** A range that is part of a type counts as this many bits, so that its values are decoded to text. */
const BOUNDED_BITS = 256;
const BOUND_PATTERN = /^-?\d{1,77}$/;

/** Builds the codec of an integer whose range is part of its type. Compilers write the type u96 like this. */
export function buildBoundedCodec(name: string, least: string, most = ''): CairoCodec {
	if (!BOUND_PATTERN.test(least) || !BOUND_PATTERN.test(most))
		throw invalidAbiError(`${name} has no bounds`);
	return buildIntegerCodec(name, BOUNDED_BITS, BigInt(least), BigInt(most));
}

function toField(value: bigint): bigint {
	return value < 0n ? FIELD_PRIME + value : value;
}

const boolCodec: CairoCodec = {
	...buildFeltCodec(
		'bool',
		(given) => BigInt(parseBoolean(given)),
		(felt) => requireAtMost(felt, 1n) === 1n,
	),
	form: 'boolean',
};

const LIMB_BITS = 128;
const LIMB_BOUND = 2n ** BigInt(LIMB_BITS);

/** Builds the codec of an integer that consists of limbs of 128 bits, the lowest first. Users see a single number. */
export function buildLimbsCodec(name: string, limbs: number): CairoCodec {
	const bits = limbs * LIMB_BITS;
	const most = 2n ** BigInt(bits) - 1n;
	const parse = integerParser(0n, most, `a whole number of 0 or more, below 2^${bits}`);
	return {
		name,
		form: 'value',
		leastFelts: limbs,
		decode: (data) => {
			let value = 0n;
			for (let limb = 0; limb < limbs; limb++) {
				const felt = requireAtMost(data.take(), LIMB_BOUND - 1n);
				value += felt << BigInt(limb * LIMB_BITS);
			}
			return value.toString();
		},
		encode: (given, label, { felts }) => {
			let rest = parseField(label, joinLimbs(given, limbs), parse);
			for (let limb = 0; limb < limbs; limb++, rest /= LIMB_BOUND) felts.push(rest % LIMB_BOUND);
		},
	};
}

const parseLimb = integerParser(0n, LIMB_BOUND - 1n, 'a limb of 128 bits');

/**
 * Joins the limbs of a u256 that is given as an object with `low` and `high`. Any other value is returned unchanged.
 */
function joinLimbs(given: unknown, limbs: number): unknown {
	const isStruct = limbs === 2 && isRecord(given) && 'low' in given && 'high' in given;
	return isStruct
		? parseField('low', given.low, parseLimb) +
				(parseField('high', given.high, parseLimb) << BigInt(LIMB_BITS))
		: given;
}

const WORD_BYTES = 31;
const WORD_BOUND = 2n ** 248n;
const EXPECTED_BYTES31 = 'text of at most 31 ASCII characters, or as many bytes as 0x-hex';

/** The codec of 31 bytes. A value is a text, or 0x-hex if the bytes are not a text. */
const bytes31Codec: CairoCodec = {
	...buildFeltCodec(
		'bytes31',
		(given) => {
			if (given === '') return 0n;
			if (typeof given !== 'string') throw new InvalidValue(EXPECTED_BYTES31);
			if (!/^0x[0-9a-f]+$/i.test(given)) return parseShortString(given);
			return integerParser(0n, WORD_BOUND - 1n, EXPECTED_BYTES31)(given);
		},
		(felt) =>
			decodeText(requireAtMost(felt, WORD_BOUND - 1n)) ??
			`0x${felt.toString(16).padStart(WORD_BYTES * 2, '0')}`,
	),
	form: 'text',
};

function getNamedCodecs(): Array<[string, CairoCodec]> {
	const unsigned = [8, 16, 32, 64, 96, 128].map((bits) => buildUintCodec(`u${bits}`, bits));
	const signed = [8, 16, 32, 64, 128].map(buildIntCodec);
	const felts = ['ContractAddress', 'ClassHash', 'StorageAddress', 'StorageBaseAddress'].map(
		buildHexCodec,
	);
	return [
		...unsigned,
		...signed,
		...felts,
		boolCodec,
		bytes31Codec,
		ethAddressCodec,
		buildFeltCodec('felt252', parseFelt, formatFelt),
		buildFeltCodec('felt', parseFelt, formatFelt),
		buildUintCodec('usize', 32),
		buildLimbsCodec('u256', 2),
		buildLimbsCodec('u512', 4),
	].map((codec) => [codec.name, codec]);
}

/** The codecs of types that consist of no other types, keyed by the last part of their names. */
export const ELEMENTARY_CODECS: ReadonlyMap<string, CairoCodec> = new Map(getNamedCodecs());

/** Formats a felt that stands for a text. Older contracts return a single felt, and others a text of many felts. */
export function decodeFeltText(felt: bigint): string {
	return decodeText(felt) ?? formatFelt(felt);
}

function decodeText(felt: bigint): string | undefined {
	return felt === 0n ? '' : decodeShortString(felt);
}
