import {
	parseBoolean,
	InvalidValue,
	choicesParser,
	parseNumber,
	choiceParser,
	parseText,
	wholeNumberParser,
} from '../../../nodes/core/values/parse';

describe('text', () => {
	test.each([
		[' a b\n', 'a b'],
		['', ''],
		[undefined, ''],
		[null, ''],
		[0, '0'],
		[1.5, '1.5'],
		[2n ** 64n, '18446744073709551616'],
	])('is read from %p', (given, value) => {
		expect(parseText(given)).toBe(value);
	});

	test.each([true, {}, [], ['a']])('is not %p', (given) => {
		expect(() => parseText(given)).toThrow(InvalidValue);
	});
});

describe('a boolean', () => {
	test.each([
		[true, true],
		[false, false],
		['true', true],
		['false', false],
	])('is read from %p', (given, value) => {
		expect(parseBoolean(given)).toBe(value);
	});

	test.each([0, 1, '', 'yes', 'TRUE!', null, undefined, {}, [true]])('is not %p', (given) => {
		expect(() => parseBoolean(given)).toThrow(InvalidValue);
	});
});

describe('a number', () => {
	test.each([
		[0, 0],
		[-1.5, -1.5],
		[' 12 ', 12],
		['1.5', 1.5],
	])('is read from %p', (given, value) => {
		expect(parseNumber(given)).toBe(value);
	});

	test.each(['', ' ', 'abc', '1,5', NaN, Infinity, 'Infinity', null, undefined, true, [1], {}, 1n])(
		'is not %p',
		(given) => {
			expect(() => parseNumber(given)).toThrow(InvalidValue);
		},
	);
});

describe('a whole number within bounds', () => {
	const read = wholeNumberParser(1, 100);

	test.each([
		[1, 1],
		[100, 100],
		['42', 42],
		[' 007 ', 7],
	])('is read from %p', (given, value) => {
		expect(read(given)).toBe(value);
	});

	test.each([
		0,
		101,
		'0',
		'101',
		-1,
		'-1',
		1.5,
		'1.5',
		'1e1',
		'0x10',
		'',
		' ',
		NaN,
		null,
		true,
		[],
	])('is not %p', (given) => {
		expect(() => read(given)).toThrow('a whole number, 1 to 100');
	});

	test('without an upper bound ends where numbers lose digits', () => {
		const open = wholeNumberParser(0);
		expect(open(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
		expect(() => open(2 ** 53)).toThrow('a whole number, 0 or more');
		expect(() => open('9007199254740993')).toThrow('a whole number, 0 or more');
	});
});

describe('choices', () => {
	const one = choiceParser(['name', '-name']);
	const many = choicesParser(['A', 'B']);

	test('are taken by their values', () => {
		expect(one('-name')).toBe('-name');
		expect(many(['B', 'A'])).toEqual(['B', 'A']);
		expect(many([])).toEqual([]);
	});

	test.each(['Name', ' name', '', undefined, null, 0, ['name'], {}])('are not %p', (given) => {
		expect(() => one(given)).toThrow('one of name, -name');
	});

	test.each(['A', undefined, null, {}, ['A', 'C'], ['a'], [null]])(
		'as a list are not %p',
		(given) => {
			expect(() => many(given)).toThrow(InvalidValue);
		},
	);
});
