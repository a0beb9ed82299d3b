import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
	cairo,
	CairoCustomEnum,
	CairoOption,
	CairoOptionVariant,
	CairoResult,
	CairoResultVariant,
} from 'starknet';
import { anyCharacter } from '../../../harness/anyText.mts';

/** A value in three forms: as a user enters it, as the library starknet.js takes it, and as it is decoded. */
interface Value {
	readonly given: unknown;
	readonly foreign: unknown;
	readonly shown: unknown;
}

/** A Cairo type, with its declarations in an ABI, and random values. */
export interface Sample {
	readonly type: string;
	readonly entries: readonly object[];
	readonly values: fc.Arbitrary<Value>;
	/** True if null may be a value of the type. */
	readonly isNullable?: boolean;
}

const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;
const hex64 = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

function integers(least: bigint, most: bigint) {
	return fc.oneof(fc.bigInt(least, most), fc.constantFrom(least, most, 0n > least ? -1n : least));
}

function numbers(type: string, least: bigint, most: bigint, isSmall = false): Sample {
	return {
		type,
		entries: [],
		values: integers(least, most).map((value) => ({
			given: String(value),
			foreign: value,
			shown: isSmall ? Number(value) : String(value),
		})),
	};
}

function hexes(type: string, bound: bigint, digits = 64): Sample {
	return {
		type,
		entries: [],
		values: integers(0n, bound - 1n).map((value) => ({
			given: `0x00${value.toString(16)}`,
			foreign: value,
			shown: `0x${value.toString(16).padStart(digits, '0')}`,
		})),
	};
}

const ascii = (length: number) =>
	fc
		.string({ unit: 'grapheme-ascii', maxLength: length, minLength: 1 })
		.filter((text) => !/^\s*(-?\d+|0x.*)\s*$/i.test(text));

const same = (value: unknown): Value => ({ given: value, foreign: value, shown: value });

/** Declares a struct. Its members do not matter, because the library starknet.js never reads them. */
const declareStruct = (name: string) => ({
	type: 'struct',
	name,
	members: [{ name: 'address', type: 'core::felt252' }],
});

const ETH_ADDRESS = 'core::starknet::eth_address::EthAddress';

const ELEMENTARY: readonly Sample[] = [
	...[8, 16, 32, 64, 96, 128].map((bits) =>
		numbers(`core::integer::u${bits}`, 0n, 2n ** BigInt(bits) - 1n, bits < 64),
	),
	...[8, 16, 32, 64, 128].map((bits) => {
		const half = 2n ** BigInt(bits - 1);
		return numbers(`core::integer::i${bits}`, -half, half - 1n, bits < 64);
	}),
	numbers('core::integer::u256', 0n, 2n ** 256n - 1n),
	numbers('core::integer::u512', 0n, 2n ** 512n - 1n),
	hexes('core::felt252', PRIME),
	hexes('core::starknet::contract_address::ContractAddress', 2n ** 251n),
	hexes('core::starknet::class_hash::ClassHash', 2n ** 251n),
	{
		...hexes(ETH_ADDRESS, 2n ** 160n, 40),
		entries: [declareStruct(ETH_ADDRESS)],
	},
	{ type: 'core::bool', entries: [], values: fc.boolean().map(same) },
	{ type: 'core::bytes_31::bytes31', entries: [], values: ascii(31).map(same) },
	{
		type: 'core::byte_array::ByteArray',
		entries: [declareStruct('core::byte_array::ByteArray')],
		values: fc.string({ unit: anyCharacter, maxLength: 100 }).map(same),
	},
	{
		type: 'core::felt252',
		entries: [],
		values: ascii(31).map((text) => ({
			...same(text),
			shown: hex64(BigInt(`0x${Buffer.from(text).toString('hex')}`)),
		})),
	},
];

const UNIT: Sample = {
	type: '()',
	entries: [],
	isNullable: true,
	values: fc.constant({ given: null, foreign: {}, shown: null }),
};

function together(make: (part: keyof Value) => unknown): Value {
	return { given: make('given'), foreign: make('foreign'), shown: make('shown') };
}

const lists = (item: Sample): fc.Arbitrary<Sample> =>
	fc
		.constantFrom(`core::array::Array::<${item.type}>`, `core::array::Span::<${item.type}>`)
		.map((type) => ({
			type,
			entries: item.entries,
			values: fc
				.array(item.values, { maxLength: 4 })
				.map((list) => together((part) => list.map((one) => one[part]))),
		}));

const fixedLists = (item: Sample): fc.Arbitrary<Sample> =>
	fc.integer({ min: 1, max: 3 }).map((length) => ({
		type: `[${item.type}; ${length}]`,
		entries: item.entries,
		values: fc
			.array(item.values, { minLength: length, maxLength: length })
			.map((list) => together((part) => list.map((one) => one[part]))),
	}));

const NAMES = ['a', 'b', 'value', 'low_level', 'toString', '_x'];
const named = (prefix: string, content: unknown) =>
	`pkg::${prefix}${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 12)}`;

const tuples = (members: readonly Sample[]): Sample => ({
	type: `(${members.map(({ type }) => type).join(', ')})`,
	entries: members.flatMap(({ entries }) => entries),
	values: fc.tuple(...members.map(({ values }) => values)).map((list) => ({
		given: list.map(({ given }) => given),
		foreign: cairo.tuple(...(list.map(({ foreign }) => foreign) as never[])),
		shown: list.map(({ shown }) => shown),
	})),
});

const structs = (members: readonly Sample[]): Sample => {
	const declared = members.map(({ type }, index) => ({ name: NAMES[index], type }));
	const name = named('Struct', declared);
	const pick = (list: readonly Value[], part: keyof Value) =>
		Object.fromEntries(list.map((one, index) => [NAMES[index], one[part]]));
	return {
		type: name,
		entries: [
			...members.flatMap(({ entries }) => entries),
			{ type: 'struct', name, members: declared },
		],
		values: fc
			.tuple(...members.map(({ values }) => values))
			.map((list) => together((part) => pick(list, part))),
	};
};

const enums = (members: readonly Sample[]): Sample => {
	const declared = members.map(({ type }, index) => ({ name: NAMES[index] ?? '', type }));
	const name = named('Enum', declared);
	const choices = members.map(({ values }, index) =>
		values.map(({ given, foreign, shown }): Value => {
			const active = NAMES[index] ?? '';
			const all = Object.fromEntries(NAMES.slice(0, members.length).map((one) => [one, undefined]));
			return {
				given: { [active]: given },
				foreign: new CairoCustomEnum({ ...all, [active]: foreign }),
				shown: { [active]: shown },
			};
		}),
	);
	return {
		type: name,
		entries: [
			...members.flatMap(({ entries }) => entries),
			{ type: 'enum', name, variants: declared },
		],
		values: fc.oneof(...choices),
	};
};

/** Declares an enum of the core library in the way in which ABIs declare it. */
const declareEnum = (name: string, variants: Readonly<Record<string, string>>) => ({
	type: 'enum',
	name,
	variants: Object.entries(variants).map(([variant, type]) => ({ name: variant, type })),
});

const options = (item: Sample): Sample => ({
	type: `core::option::Option::<${item.type}>`,
	entries: [
		...item.entries,
		declareEnum(`core::option::Option::<${item.type}>`, { Some: item.type, None: '()' }),
	],
	isNullable: true,
	values: fc.option(item.values).map((value) => {
		if (value === null)
			return { given: null, foreign: new CairoOption(CairoOptionVariant.None), shown: null };
		const wrap = (inner: unknown) => (item.isNullable ? { Some: inner } : inner);
		return {
			given: wrap(value.given),
			foreign: new CairoOption(CairoOptionVariant.Some, value.foreign),
			shown: wrap(value.shown),
		};
	}),
});

const results = ([ok, err]: readonly [Sample, Sample]): Sample => ({
	type: `core::result::Result::<${ok.type}, ${err.type}>`,
	entries: [
		...ok.entries,
		...err.entries,
		declareEnum(`core::result::Result::<${ok.type}, ${err.type}>`, { Ok: ok.type, Err: err.type }),
	],
	values: fc.oneof(
		ok.values.map((one) => ({
			given: { Ok: one.given },
			foreign: new CairoResult(CairoResultVariant.Ok, one.foreign),
			shown: { Ok: one.shown },
		})),
		err.values.map((one) => ({
			given: { Err: one.given },
			foreign: new CairoResult(CairoResultVariant.Err, one.foreign),
			shown: { Err: one.shown },
		})),
	),
});

/** Random types that are nested at most `depth` times. */
export function samples(depth: number): fc.Arbitrary<Sample> {
	const flat = fc.constantFrom(...ELEMENTARY);
	if (depth === 0) return flat;
	const part = samples(depth - 1);
	const parts = fc.array(part, { minLength: 1, maxLength: 4 });
	const variants = fc.array(fc.oneof(part, fc.constant(UNIT)), { minLength: 1, maxLength: 4 });
	return fc.oneof(
		flat,
		part.chain(lists),
		part.chain(fixedLists),
		parts.map(tuples),
		parts.map(structs),
		variants.map(enums),
		part.map(options),
		fc.tuple(part, part).map(results),
	);
}
