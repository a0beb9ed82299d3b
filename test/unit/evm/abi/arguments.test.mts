import { encodeFunctionData as encodeByViem, parseAbi } from 'viem';
import { abiParser } from '../../../../nodes/core/evm/abi/abi';
import { encodeFunctionData, getFunction } from '../../../../nodes/core/evm/abi/call';
import { InvalidInput } from '../../../../nodes/core/errors/invalidInput';
import { catchThrown } from '../../support/fakes.mts';
import { hexOf } from './support/words.mts';
import { takeRows } from '../../../harness/caseCount.mts';

const A = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const A_WORD = BigInt(A);

function encode(types: string, given: unknown): string {
	const called = getFunction(abiParser('function')(`f(${types})`), '');
	const data = encodeFunctionData(called, given);
	expect(data.slice(0, 10)).toBe(called.selector);
	return `0x${data.slice(10)}`;
}

function refused(types: string, given: unknown): string {
	const failure = catchThrown(() => encode(types, given));
	expect(failure).toBeInstanceOf(InvalidInput);
	return (failure as InvalidInput).message;
}

describe('arguments', () => {
	test.each([
		['in order', [1, A]],
		['by name', { who: A, count: 1 }],
		['as the text of a list', `[1, "${A}"]`],
		['as the text of an object', ` {"count": "1", "who": "${A.toLowerCase()}"}`],
	])('are given %s', (_, given) => {
		expect(encode('uint256 count, address who', given)).toBe(hexOf(1, A_WORD));
	});

	test.each([undefined, null, '', [], {}, '[]', '{}'])('may be none: %p', (given) => {
		expect(encode('', given)).toBe('0x');
	});

	test('without names go by their places', () => {
		expect(encode('uint256, bool b, uint8', { arg0: 1, b: true, arg2: 3 })).toBe(hexOf(1, 1, 3));
	});

	test('of one name go by their places too', () => {
		expect(encode('uint8 a, uint8 a, uint8 arg0', { arg0: 1, arg1: 2, arg2: 3 })).toBe(
			hexOf(1, 2, 3),
		);
	});

	test('go by the names that they are declared with, though these count otherwise than their places', () => {
		expect(encode('uint8 arg1, uint8 arg0', { arg0: 1, arg1: 2 })).toBe(hexOf(2, 1));
		expect(encode('uint8 arg1, uint8 arg2', { arg1: 1, arg2: 2 })).toBe(hexOf(1, 2));
		expect(encode('(uint8 arg1, uint8 arg0) pair', { pair: { arg0: 1, arg1: 2 } })).toBe(
			hexOf(2, 1),
		);
	});

	test.each(['__proto__', 'constructor', 'prototype'])(
		'may be called %s, but not by that',
		(name) => {
			expect(encode(`uint8 ${name}`, { arg0: 1 })).toBe(hexOf(1));
			expect(refused(`uint8 ${name}`, JSON.parse(`{"${name}": 1}`))).toContain(
				`'${name}' is not one of them`,
			);
		},
	);

	test('are not taken from what every object has', () => {
		expect(refused('string toString', {})).toBe("'Arguments > toString' must be text; it is empty");
	});

	test('may be texts with any white space', () => {
		expect(encode('string', [' a\n'])).toBe(hexOf(0x20, 3, '20610a'));
		expect(encode('string', [''])).toBe(hexOf(0x20, 0));
	});

	test('may be lists and tuples as JSON text', () => {
		expect(encode('uint8[2] a, (uint8 b, bool c) d', ['[1, 2]', '{"c": true, "b": 3}'])).toBe(
			hexOf(1, 2, 3, 1),
		);
	});

	test('may be negative', () => {
		const all = 2n ** 256n;
		expect(encode('int8, int256', [-128, '-1'])).toBe(hexOf(all - 128n, all - 1n));
	});
});

describe('arguments that do not fit are refused with their place', () => {
	test.each([
		[
			'a list too short',
			'uint8 a, uint8 b',
			[1],
			"'Arguments' must be a list of 2 values, or an object with a, b; got [1]",
		],
		[
			'a list too long',
			'uint8 a',
			[1, 2],
			"'Arguments' must be a list of 1 value, or an object with a; got [1,2]",
		],
		[
			'a name too many',
			'uint8 a',
			{ a: 1, b: 2 },
			`'Arguments' must be a list of 1 value, or an object with a; 'b' is not one of them; got {"a":1,"b":2}`,
		],
		[
			'a name too few',
			'uint8 a, bool b',
			{ a: 1 },
			"'Arguments > b' must be true or false; it is empty",
		],
		[
			'nothing',
			'uint8 a',
			undefined,
			"'Arguments' must be a list of 1 value, or an object with a; it is empty",
		],
		[
			'empty text',
			'uint8 a',
			'',
			"'Arguments' must be a list of 1 value, or an object with a; it is empty",
		],
		['a number', 'uint8 a', 1, "'Arguments' must be a list of 1 value, or an object with a; got 1"],
		[
			'something for nothing',
			'',
			[1],
			"'Arguments' must be empty: there are no arguments to give; got [1]",
		],
		['no JSON', 'uint8 a', '[1', `'Arguments' must be valid JSON; got "[1"`],
		[
			'a text with lost digits',
			'uint256 a',
			'[1000000000000000000000]',
			`'Arguments' must be JSON without whole numbers above 2^53: write them as text or as 0x-hex; got "[1000000000000000000000]"`,
		],
		[
			'within a list of tuples',
			'(uint8 a)[] list',
			[[{ a: 1 }, { a: 2 }, { a: 256 }]],
			"'Arguments > list[2].a' must be a whole number that fits uint8, decimal or 0x-hex; got 256",
		],
		[
			'within lists',
			'bool[2][] list',
			[
				[
					[true, true],
					[true, 1],
				],
			],
			"'Arguments > list[1][1]' must be true or false; got 1",
		],
		[
			'a list of another length',
			'bool[2] list',
			[[true]],
			"'Arguments > list' must be a list of length 2; got [true]",
		],
		['no list', 'bool[] list', [true], "'Arguments > list' must be a list; got true"],
		[
			'an object for a list',
			'bool[] list',
			[{ length: 1 }],
			`'Arguments > list' must be a list; got {"length":1}`,
		],
		[
			'no tuple',
			'(bool a) pair',
			[true],
			"'Arguments > pair' must be a list of 1 value, or an object with a; got true",
		],
		[
			'an empty tuple',
			'(bool a) pair',
			[null],
			"'Arguments > pair' must be a list of 1 value, or an object with a; it is empty",
		],
		[
			'a tuple with a name too many',
			'(bool a) pair',
			[{ b: 1 }],
			`'Arguments > pair' must be a list of 1 value, or an object with a; 'b' is not one of them; got {"b":1}`,
		],
		[
			'without names',
			'(bool, bool)',
			[[true, 1]],
			"'Arguments > arg0.arg1' must be true or false; got 1",
		],
	])('%s', (_, types, given, message) => {
		expect(refused(types, given)).toBe(message);
	});

	test.each([
		[
			'uint8',
			[
				-1,
				256,
				'256',
				'0x100',
				1.5,
				'1.5',
				'1e2',
				'',
				' ',
				'a',
				'0x',
				'-0x1',
				'--1',
				'1 2',
				true,
				null,
				[],
				[1],
				{},
				NaN,
				Infinity,
				'9'.repeat(200),
			],
		],
		['int8', [128, -129, '128', '-129', '0x80', '-']],
		['uint256', [2n ** 256n, `${2n ** 256n}`, `0x1${'0'.repeat(64)}`, '-1']],
		['int256', [2n ** 255n, -(2n ** 255n) - 1n]],
		['bool', ['yes', 1, 0, '', null, 'TRUE', {}]],
		['address', ['0x', A.slice(2), `${A}0`, A.replace('5aA', '5AA'), 'vitalik.eth', 1, null, '']],
		['bytes', ['0x1', '00', '', 'text', 1, null, [1, 2]]],
		['bytes4', ['0x', '0x123456', '0x1234567890', '0x1234567', 'text', 0x12345678, null]],
		['string', [1, true, null, undefined, {}, ['a'], '\ud800', 'a\udc00b']],
	])('as %s', (type, all) => {
		for (const given of all)
			expect(refused(`${type} a`, [given])).toContain("'Arguments > a' must be");
	});

	test('a number that lost its digits, with the way out', () => {
		expect(refused('uint256 a', [2 ** 53])).toContain('given as text');
		expect(refused('uint256 a', [1e30])).toContain('given as text');
	});

	test('bytes of another length, with theirs', () => {
		expect(refused('bytes4 id', ['0x12'])).toBe(
			`'Arguments > id' must be 4 bytes as 0x-hex: 0x and 8 hex digits; got "0x12"`,
		);
		expect(refused('bytes1 id', ['0x'])).toContain('1 byte as 0x-hex: 0x and 2 hex digits');
	});

	test('under the name of the field that they were given in', () => {
		const called = getFunction(abiParser('function')('f(bool a)'), '');
		expect(() => encodeFunctionData(called, [1], 'Input')).toThrow(
			"'Input > a' must be true or false",
		);
	});
});

describe('many arguments', () => {
	const MANY = 100_000;
	const TOO_MANY = `'Arguments' must be at most ${MANY} values, with those in lists and tuples`;
	const many = <T,>(count: number, one: T): T[] => Array<T>(count).fill(one);

	test('such as an order of ten thousand items are encoded', () => {
		const type = '(address token, uint256 id, uint256 amount, address to, string memo)';
		const item = { token: A, id: 1n, amount: 2n, to: A, memo: 'a' } as const;
		const args = [many(10_000, item)] as const;
		expect(encode(`${type}[] items`, args)).toBe(
			`0x${encodeByViem({ abi: parseAbi([`function f(${type}[] items)`]), args }).slice(10)}`,
		);
	});

	test.each(
		takeRows(
			[
				['values', 'uint8[] a', many(MANY, 1)],
				['empty lists', 'uint8[][] a', many(MANY, [])],
				['lists of one', 'uint8[][] a', many(MANY / 2, [1])],
				['lists as text', 'uint8[][] a', many(MANY / 2, '[1]')],
				['tuples', '(uint8 b)[] a', many(MANY / 2, { b: 1 })],
				['tuples of tuples', '((uint8 b) c)[] a', many(33_334, [[1]])],
				['lists of a fixed length', 'uint8[1][1][] a', many(33_334, [[1]])],
			],
			4,
		),
	)('are refused in words, the first %s beyond the most', (_, types, list) => {
		expect(refused(types, [list])).toContain(TOO_MANY);
	});

	test('are encoded up to the most', () => {
		expect(encode('uint8[] a', [many(MANY - 1, 1)])).toHaveLength(2 + 64 * (MANY + 1));
		expect(refused('uint8[] a', JSON.stringify([many(MANY, 1)]))).toContain(TOO_MANY);
	});

	test('are counted over all of them', () => {
		const half = many(MANY / 2, 1);
		expect(refused('uint8[] a, uint8[] b', [half, half])).toContain(TOO_MANY);
	});

	test('do not hide what is wrong with one before them', () => {
		expect(refused('bool a, uint8[] b', [1, many(MANY, 1)])).toContain("'Arguments > a' must be");
	});
});
