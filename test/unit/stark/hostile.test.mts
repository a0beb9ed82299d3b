import { parseStarkAbi } from '../../../nodes/core/stark/abi/abi';
import {
	decodeFunctionResult,
	encodeCalldata,
	getStarkFunction,
} from '../../../nodes/core/stark/abi/call';
import { DecodingError } from '../../../nodes/core/stark/abi/data';
import { InvalidInput } from '../../../nodes/core/errors/invalidInput';
import { InvalidValue } from '../../../nodes/core/values/parse';

const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

const giving = (type: string, ...declared: readonly object[]) =>
	getStarkFunction(
		parseStarkAbi([
			...declared,
			{ type: 'function', name: 'give', inputs: [{ name: 'it', type }], outputs: [{ type }] },
		]),
		'give',
	);

const struct = (name: string, ...types: readonly string[]) => ({
	type: 'struct',
	name,
	members: types.map((type, index) => ({ name: `m${index}`, type })),
});

const levels = (count: number, width: number, leaf: string) =>
	Array.from({ length: count }, (_, index) =>
		struct(`L${index}`, ...new Array<string>(width).fill(index === 0 ? leaf : `L${index - 1}`)),
	);

describe('a type of a foreign ABI', () => {
	test.each<[string, string, readonly object[], RegExp]>([
		[
			'that contains itself',
			'A',
			[struct('A', 'B'), struct('B', 'core::array::Array::<A>')],
			/the type A contains itself/,
		],
		['of too many levels', 'L99', levels(100, 1, 'felt'), /more than 32 levels/],
		['that nests without end', `${'('.repeat(2000)}${')'.repeat(2000)}`, [], /not a type/],
		['of too many characters', 'x'.repeat(1001), [], /not a type/],
		['that is not declared', 'pkg::Missing', [], /what the type Missing is/],
		['that is no type', 'core::array::Array::<', [], /is not a type/],
		['of a list without an end', '[felt; 99999999]', [], /known length/],
		['of a pointer without a length', 'felt*', [], /length/],
	])('%s is refused in words', (_, type, declared, message) => {
		const read = () => giving(type, ...declared);
		expect(read).toThrow(InvalidValue);
		expect(read).toThrow(message);
	});

	test('may be read through others first, and is refused all the same', () => {
		const declared = levels(100, 1, 'felt');
		const abi = parseStarkAbi([
			...declared,
			...declared.map(({ name }) => ({
				type: 'function',
				name,
				inputs: [{ name: 'it', type: name }],
			})),
		]);
		declared
			.slice(0, 31)
			.forEach(({ name }) => expect(getStarkFunction(abi, name).name).toBe(name));
		expect(() => declared.forEach(({ name }) => getStarkFunction(abi, name))).toThrow(/32 levels/);
	});

	test('that doubles at each level is read once and never unfolded', () => {
		const give = giving('L29', ...levels(30, 2, '()'));
		expect(() => decodeFunctionResult(give, [])).toThrow(DecodingError);
		const wide = giving('L29', ...levels(30, 2, 'felt'));
		expect(() => decodeFunctionResult(wide, [1n, 2n])).toThrow(/ends too early/);
		expect(() =>
			decodeFunctionResult(giving('core::array::Array::<L29>', ...levels(30, 2, 'felt')), [5n]),
		).toThrow(/length is larger/);
	});
});

test('names such as __proto__ are keys like any other, or give way to their position', () => {
	const give = giving('P', {
		type: 'struct',
		name: 'P',
		members: ['__proto__', 'constructor', 'a', 'a', 'no name'].map((name) => ({
			name,
			type: 'felt',
		})),
	});
	const { result } = decodeFunctionResult(give, [1n, 2n, 3n, 4n, 5n]);
	expect(Object.keys(result as object)).toEqual(['arg0', 'arg1', 'arg2', 'arg3', 'arg4']);
	const abi = parseStarkAbi([{ type: 'function', name: '__proto__', inputs: [], outputs: [] }]);
	expect(getStarkFunction(abi, '__proto__').name).toBe('__proto__');
	expect(() => getStarkFunction(abi, 'constructor')).toThrow(/such as __proto__/);
});

test.each<[string, unknown, RegExp]>([
	['of 10 MB', `[${' '.repeat(10_000_000)}]`, /more than 5000000 characters/],
	['of too many entries', new Array(20_001).fill({}), /20000 entries/],
	[
		'of too many entries in interfaces',
		new Array(3).fill({ type: 'interface', items: new Array(7000).fill({}) }),
		/20000 entries/,
	],
	['that is no JSON', 'x', /the JSON ABI/],
	['that is a number', 5, /the JSON ABI/],
	[
		'with events that double at each level',
		Array.from({ length: 16 }, (_, index) => ({
			type: 'event',
			name: `E${index}`,
			kind: 'enum',
			variants: ['a', 'b', 'c'].map((name) => ({ name, type: `E${index + 1}`, kind: 'nested' })),
		})).concat({ type: 'event', name: 'E16', kind: 'struct' } as never),
		/more than 5000 events|contain each other/,
	],
	[
		'with events that name each other, and none at the end',
		Array.from({ length: 12 }, (_, level) => ({
			type: 'event',
			name: `E${level}`,
			kind: 'enum',
			variants: Array.from({ length: 10 }, (__, at) => ({
				name: `v${at}`,
				type: `E${level + 1}`,
				kind: 'nested',
			})),
		})),
		/name each other too often/,
	],
])('an ABI %s is refused in words', (_, given, message) => {
	const read = () => parseStarkAbi(given);
	expect(read).toThrow(InvalidValue);
	expect(read).toThrow(message);
});

test('entries that are none are left out', () => {
	const abi = parseStarkAbi([
		null,
		5,
		{},
		{ type: 'function' },
		{ type: 'struct', name: 5 },
		{ type: 'event' },
		{ type: 'function', name: 'fine', inputs: 'x', outputs: [5] },
	]);
	expect(abi.functions.map(({ name }) => name)).toEqual(['fine']);
	expect(encodeCalldata(getStarkFunction(abi, 'fine'), [])).toEqual([]);
});

test.each<[string, readonly bigint[], RegExp]>([
	['core::array::Array::<()>', [10n ** 9n], /length is larger/],
	['core::array::Array::<core::felt252>', [2n ** 200n], /length is larger/],
	['core::array::Array::<core::array::Array::<()>>', [1n, 900n, 900n], /left over|too many/],
	['[(); 1000000]', [], /too many values/],
	['core::integer::u8', [256n], /does not fit its type/],
	['core::integer::i8', [128n], /does not fit its type/],
	['core::integer::i8', [PRIME - 129n], /does not fit its type/],
	['core::integer::u256', [2n ** 128n, 0n], /does not fit its type/],
	['core::bool', [2n], /does not fit its type/],
	['core::option::Option::<core::bool>', [2n, 1n], /no variant 2/],
	['core::zeroable::NonZero::<core::integer::u8>', [0n], /is 0/],
	['core::byte_array::ByteArray', [0n, 1n, 0n], /larger than its length/],
	['core::byte_array::ByteArray', [0n, 0n, 31n], /too long/],
	['core::byte_array::ByteArray', [1n, 2n ** 248n, 0n, 0n], /larger than its length/],
	['core::byte_array::ByteArray', [7n, 0n, 0n], /length is larger/],
	['core::felt252', [1n, 2n], /left over/],
	['core::felt252', [], /too early/],
])('an answer of %s that does not fit is refused: %p', (type, felts, message) => {
	const read = () => decodeFunctionResult(giving(type), felts);
	expect(read).toThrow(DecodingError);
	expect(read).toThrow(message);
});

test.each<[string, unknown, RegExp]>([
	['core::felt252', PRIME, /must be a felt/],
	['core::felt252', '-1', /must be a felt/],
	['core::felt252', 2 ** 60, /lost digits/],
	['core::felt252', 'é', /31 ASCII/],
	['core::felt252', 'x'.repeat(32), /31 ASCII/],
	['core::felt252', '', /ASCII/],
	['core::integer::u8', 256, /from 0 to 255/],
	['core::integer::i8', '-129', /from -128 to 127/],
	['core::integer::u256', 2n ** 256n, /below 2\^256/],
	['core::array::Array::<core::integer::u8>', [1, 'x'], /'Arguments > it\[1\]' must be u8/],
	['(core::integer::u8, core::integer::u8)', [1], /list of 2 values/],
	['core::zeroable::NonZero::<core::integer::u8>', 0, /a number other than 0/],
	['core::result::Result::<core::bool, ()>', { Nok: true }, /one of Ok, Err/],
	['core::option::Option::<core::option::Option::<core::bool>>', true, /Some/],
	['core::bool', 'yes', /true or false/],
	['core::starknet::eth_address::EthAddress', 2n ** 160n, /20 bytes/],
	['core::byte_array::ByteArray', '\ud800', /valid Unicode/],
	['()', 5, /null/],
])('an argument of %s is refused where it does not fit: %p', (type, given, message) => {
	const write = () => encodeCalldata(giving(type), { it: given });
	expect(write).toThrow(InvalidInput);
	expect(write).toThrow(message);
});
