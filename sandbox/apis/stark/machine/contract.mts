import { gzipSync } from 'node:zlib';
import { toHex } from './felts.mts';
import { getSelector, inventFelt } from './hashes.mts';
import { type AbiEntry, type AbiParameter, listFunctions } from './types.mts';

/**
 * The actions that a function of a contract can take. Names are the keys of the storage, and its values are numbers of
 * any size.
 */
export interface Context {
	self: bigint;
	caller: bigint;
	read: (key: string) => bigint;
	write: (key: string, value: bigint) => void;
	emit: (keys: bigint[], data: bigint[]) => void;
	call: (to: bigint, selector: bigint, calldata: bigint[]) => bigint[];
	getClassHash: (address: bigint) => bigint;
	/** Runs a function of another class with the storage and the address of this contract. */
	callLibrary: (classHash: bigint, selector: bigint, calldata: bigint[]) => bigint[];
}

/** A function of a contract. It takes one list of felts for each argument, and returns felts. */
export type ContractFunction = (context: Context, ...args: bigint[][]) => bigint[];

export interface ContractClass {
	hash: bigint;
	/** The answer of `getClass`. */
	json: object;
	/** Whether the class is of Cairo 1 or later. */
	isSierra: boolean;
	abi: AbiEntry[];
	functions: ReadonlyMap<bigint, { entry: AbiEntry; run: ContractFunction }>;
	/** Handles calls to selectors that belong to no function. */
	fallback?: (context: Context, selector: bigint, calldata: bigint[]) => bigint[];
}

type Functions = Readonly<Record<string, ContractFunction>>;

/** Creates a class of Cairo 1, whose ABI is a text. The ABI must list exactly the given functions. */
export function createSierraClass(name: string, abi: AbiEntry[], run: Functions): ContractClass {
	const functions = bindFunctions(abi, run);
	const entryPoints = [...functions.keys()].map((selector, function_idx) => ({
		selector: toHex(selector),
		function_idx,
	}));
	const json = {
		sierra_program: ['0x1', '0x7', '0x0', '0x2', '0xb', '0x4', ...inventProgram(name)],
		contract_class_version: '0.1.0',
		entry_points_by_type: { CONSTRUCTOR: [], EXTERNAL: entryPoints, L1_HANDLER: [] },
		abi: JSON.stringify(abi),
	};
	return { hash: inventFelt(['class', name]), json, isSierra: true, abi, functions };
}

/** Creates a class of Cairo 0. Its ABI is an array, and its program is a text that cannot run here. */
export function createCairo0Class(
	name: string,
	abi: AbiEntry[],
	run: Functions,
	fallback?: ContractClass['fallback'],
): ContractClass {
	const functions = bindFunctions(abi, run);
	const selectors = [...(fallback ? [0n] : []), ...functions.keys()];
	const external = selectors.map((selector, index) => ({
		offset: toHex(index * 16 + 58),
		selector: toHex(selector),
	}));
	const json = {
		program: gzipSync(JSON.stringify({ data: inventProgram(name) })).toString('base64'),
		entry_points_by_type: { CONSTRUCTOR: [], EXTERNAL: external, L1_HANDLER: [] },
		abi,
	};
	const hash = inventFelt(['class', name]);
	return { hash, json, isSierra: false, abi, functions, ...(fallback && { fallback }) };
}

const inventProgram = (name: string) =>
	Array.from({ length: 8 }, (_, index) => toHex(inventFelt(['program', name, index])));

function bindFunctions(abi: AbiEntry[], run: Functions) {
	const entries = listFunctions(abi).filter(
		({ type, name }) => type === 'function' && name !== '__default__',
	);
	return new Map(
		entries.map((entry) => {
			const found = run[entry.name];
			if (!found) throw new Error(`The function ${entry.name} is in the ABI only.`);
			return [getSelector(entry.name), { entry, run: found }];
		}),
	);
}

type Types = Readonly<Record<string, string>>;

const listParameters = (types: Types): AbiParameter[] =>
	Object.entries(types).map(([name, type]) => ({ name, type }));

/** Describes a function of Cairo 1 for the ABI. */
export const describeFunction = (
	name: string,
	inputs: Types,
	output?: string,
	mutability: 'view' | 'external' = 'view',
): AbiEntry => ({
	type: 'function',
	name,
	inputs: listParameters(inputs),
	outputs: output === undefined ? [] : [{ type: output }],
	state_mutability: mutability,
});

export const describeInterface = (name: string, items: AbiEntry[]): AbiEntry[] => [
	{ type: 'impl', name: `${name.split('::').at(-1)}Impl`, interface_name: name },
	{ type: 'interface', name, items },
];

export const describeStruct = (name: string, members: Types): AbiEntry => ({
	type: 'struct',
	name,
	members: listParameters(members),
});

export const describeEnum = (name: string, variants: Types): AbiEntry => ({
	type: 'enum',
	name,
	variants: listParameters(variants),
});

/** Describes an event of Cairo 1. The members that `keys` names are keys of the event. */
export const describeEvent = (
	name: string,
	members: Types,
	keys: readonly string[] = [],
): AbiEntry => ({
	type: 'event',
	name,
	kind: 'struct',
	members: listParameters(members).map((member) => ({
		...member,
		kind: keys.includes(member.name) ? 'key' : 'data',
	})),
});

/** Describes the enum of all events of a contract. Each variant is nested, unless its name is listed as flat. */
export const describeEvents = (
	name: string,
	variants: Types,
	flat: readonly string[] = [],
): AbiEntry => ({
	type: 'event',
	name,
	kind: 'enum',
	variants: listParameters(variants).map((variant) => ({
		...variant,
		kind: flat.includes(variant.name) ? 'flat' : 'nested',
	})),
});

/** The names of types that every contract may use. */
export const FELT = 'core::felt252';
export const BOOL = 'core::bool';
export const U8 = 'core::integer::u8';
export const U32 = 'core::integer::u32';
export const U64 = 'core::integer::u64';
export const U128 = 'core::integer::u128';
export const U256 = 'core::integer::u256';
export const ADDRESS = 'core::starknet::contract_address::ContractAddress';
export const CLASS_HASH = 'core::starknet::class_hash::ClassHash';
export const BYTE_ARRAY = 'core::byte_array::ByteArray';
export const arrayOf = (type: string) => `core::array::Array::<${type}>`;
export const spanOf = (type: string) => `core::array::Span::<${type}>`;
export const optionOf = (type: string) => `core::option::Option::<${type}>`;

/** Describes standard types of Cairo. A compiler lists them in the ABI of each contract that uses them. */
export const describeU256 = () => describeStruct(U256, { low: U128, high: U128 });
export const describeBool = () => describeEnum(BOOL, { False: '()', True: '()' });
export const describeByteArray = () =>
	describeStruct(BYTE_ARRAY, {
		data: arrayOf('core::bytes_31::bytes31'),
		pending_word: FELT,
		pending_word_len: U32,
	});
export const describeSpan = (type: string) =>
	describeStruct(spanOf(type), { snapshot: `@${arrayOf(type)}` });
export const describeOption = (type: string) =>
	describeEnum(optionOf(type), { Some: type, None: '()' });
