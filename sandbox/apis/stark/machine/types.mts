import { PRIME } from './felts.mts';

export interface AbiParameter {
	name: string;
	type: string;
	kind?: string;
	offset?: number;
}

export interface AbiEntry {
	type: string;
	name: string;
	inputs?: AbiParameter[];
	outputs?: { type: string; name?: string }[];
	state_mutability?: string;
	stateMutability?: string;
	items?: AbiEntry[];
	interface_name?: string;
	members?: AbiParameter[];
	variants?: AbiParameter[];
	kind?: string;
	size?: number;
	keys?: AbiParameter[];
	data?: AbiParameter[];
}

/** This error means that the felts of an argument are no value of its type. */
export class NotOfItsType extends Error {}

type Abi = readonly AbiEntry[];

/** Lists the functions of an ABI, also the functions in its interfaces. */
export const listFunctions = (abi: Abi): AbiEntry[] =>
	abi.flatMap((entry) => {
		if (entry.type === 'interface') return entry.items ?? [];
		return entry.type === 'function' || entry.type === 'constructor' ? [entry] : [];
	});

/** Returns the position after a value of the given type that begins at the position `at`. */
export function skipValue(type: string, felts: readonly bigint[], at: number, abi: Abi): number {
	const take = (inner: string, from: number) => skipValue(inner, felts, from, abi);
	const takeAll = (inner: readonly string[], from: number) =>
		inner.reduce((position, one) => take(one, position), from);
	const read = () => readFelt(felts, at);
	if (type.startsWith('@')) return take(type.slice(1), at);
	if (type.startsWith('(')) return takeAll(splitTypes(type.slice(1, -1)).map(stripName), at);
	if (type.startsWith('[')) return takeAll(listFixed(type), at);
	const [, name = type, inner = ''] = /^([^<]*?)(?:::)?<(.*)>$/s.exec(type) ?? [];
	if (/^core::array::(Array|Span)$/.test(name)) {
		const length = read();
		if (length > BigInt(felts.length)) throw new NotOfItsType(type);
		return takeAll(
			Array.from({ length: Number(length) }, () => inner),
			at + 1,
		);
	}
	if (name === 'core::option::Option') return read() === 0n ? take(inner, at + 1) : skipOne(1n);
	if (name === 'core::result::Result') {
		const index = read();
		if (index > 1n) throw new NotOfItsType(type);
		return take(splitTypes(inner)[Number(index)]!, at + 1);
	}
	if (/^core::(zeroable|internal)::NonZero$/.test(name)) return take(inner, at);
	if (type === 'core::integer::u256')
		return takeAll(['core::integer::u128', 'core::integer::u128'], at);
	if (type === 'core::integer::u512') return takeAll(Array(4).fill('core::integer::u128'), at);
	if (type === 'core::byte_array::ByteArray') return skipByteArray(felts, at);
	if (isAtom(type)) {
		if (!isAtomInRange(type, read())) throw new NotOfItsType(type);
		return at + 1;
	}
	return skipNamed();

	function skipOne(only: bigint) {
		if (read() !== only) throw new NotOfItsType(type);
		return at + 1;
	}

	function skipNamed() {
		const entry = abi.find((one) => one.name === type && /^(struct|enum)$/.test(one.type));
		if (entry?.members)
			return takeAll(
				entry.members.map((member) => member.type),
				at,
			);
		const variant = entry?.variants?.[Number(read())];
		if (!variant) throw new NotOfItsType(type);
		return take(variant.type, at + 1);
	}
}

function readFelt(felts: readonly bigint[], at: number): bigint {
	const felt = felts[at];
	if (felt === undefined) throw new NotOfItsType('the end');
	return felt;
}

function skipByteArray(felts: readonly bigint[], at: number): number {
	const end = at + Number(readFelt(felts, at)) + 3;
	const words = felts.slice(at + 1, end - 2);
	const [rest, length] = [readFelt(felts, end - 2), readFelt(felts, end - 1)];
	if (words.some((word) => word >= 2n ** 248n) || length > 30n || rest >= 256n ** length) {
		throw new NotOfItsType('core::byte_array::ByteArray');
	}
	return end;
}

const FELT_TYPES = new Set(['core::felt252', 'felt']);

const BOUNDS: Readonly<Record<string, bigint>> = {
	'core::bool': 2n,
	'core::integer::usize': 2n ** 32n,
	'core::bytes_31::bytes31': 2n ** 248n,
	'core::starknet::eth_address::EthAddress': 2n ** 160n,
	'core::starknet::contract_address::ContractAddress': 2n ** 251n - 256n,
	'core::starknet::storage_access::StorageAddress': 2n ** 251n - 256n,
	'core::starknet::class_hash::ClassHash': PRIME,
};

const INTEGER_PATTERN = /^core::integer::([ui])(8|16|32|64|96|128)$/;

const isAtom = (type: string) =>
	FELT_TYPES.has(type) || type in BOUNDS || INTEGER_PATTERN.test(type);

function isAtomInRange(type: string, felt: bigint): boolean {
	if (FELT_TYPES.has(type)) return true;
	const [, sign, bits] = INTEGER_PATTERN.exec(type) ?? [];
	if (!sign) return felt < BOUNDS[type]!;
	if (sign === 'u') return felt < 2n ** BigInt(bits!);
	const half = 2n ** (BigInt(bits!) - 1n);
	return felt < half || felt >= PRIME - half;
}

function listFixed(type: string): string[] {
	const [, inner = '', count = '0'] = /^\[(.*);\s*(\d+)\]$/s.exec(type) ?? [];
	return Array.from({ length: Number(count) }, () => inner);
}

/** Removes the name of a tuple's member. In Cairo 0, the members of a tuple may have names. */
const stripName = (type: string) => type.replace(/^\w+\s*:(?!:)\s*/, '');

/** Splits a list of types at the commas outside of brackets. */
function splitTypes(list: string): string[] {
	const parts: string[] = [];
	let [depth, part] = [0, ''];
	for (const character of list) {
		if ('<(['.includes(character)) depth += 1;
		if ('>)]'.includes(character)) depth -= 1;
		if (character === ',' && depth === 0) {
			parts.push(part.trim());
			part = '';
		} else part += character;
	}
	return part.trim() === '' ? parts : [...parts, part.trim()];
}
