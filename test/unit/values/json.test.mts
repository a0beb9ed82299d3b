import { InvalidValue, parseText } from '../../../nodes/core/values/parse';
import {
	parseJsonValue,
	parseJsonList,
	parseJsonObjects,
	parseJsonParams,
	parseJsonText,
	listParser,
} from '../../../nodes/core/values/json';
import { parseQuantity } from '../../../nodes/core/values/numbers';
import { ALLOWED_UNITS, measureLeastGap } from '../../harness/loopGap.mts';

const UNSAFE = '9007199254740993';
const LOST_DIGITS = /whole numbers above 2\^53/;

describe('JSON', () => {
	test.each([
		['{"a":[1,"2",null]}', { a: [1, '2', null] }],
		[' [1.5, -1e3]\n', [1.5, -1000]],
		['"text"', 'text'],
		['null', null],
		['0', 0],
		[`["${UNSAFE}", "0x20000000000001"]`, [UNSAFE, '0x20000000000001']],
		['[9007199254740991]', [Number.MAX_SAFE_INTEGER]],
	])('text %s is read', (given, value) => {
		expect(parseJsonValue(given)).toEqual(value);
	});

	test.each([[{ a: [1] }], [[1, 'two']], [7], [null], [true]])(
		'that an expression gave is taken as it is: %p',
		(given) => {
			expect(parseJsonValue(given)).toBe(given);
		},
	);

	test.each(['', ' ', '{', '{a:1}', "['a']", '[1,]', 'undefined', '0x10', '1 2'])(
		'is not %p',
		(given) => {
			expect(() => parseJsonValue(given)).toThrow('valid JSON');
		},
	);

	test.each([
		['a number', UNSAFE],
		['a negative number', `-${UNSAFE}`],
		['in a list', `[1, ${UNSAFE}]`],
		['deep inside', `{"a":{"b":[{"c":${UNSAFE}}]}}`],
		['beside a string with quotes', `["\\"${UNSAFE}\\"", ${UNSAFE}]`],
	])('text that would lose digits is refused: %s', (_, given) => {
		expect(() => parseJsonValue(given)).toThrow(LOST_DIGITS);
	});

	test.each([
		['a number', 2 ** 53],
		['in a list', [1, -(2 ** 53)]],
		['deep inside', { a: { b: [{ c: Number('1234567890123456789') }] } }],
	])('from an expression that has lost digits is refused: %s', (_, given) => {
		expect(() => parseJsonValue(given)).toThrow(LOST_DIGITS);
	});
});

test.each([1e18, -25e20, 1e21, 1e300, 123456789012345e10])(
	'a large number that has lost no digits is taken: %p',
	(amount) => {
		expect(parseJsonValue({ amount })).toEqual({ amount });
		expect(parseJsonText({ amount })).toBe(JSON.stringify({ amount }));
	},
);

describe('JSON-RPC parameters', () => {
	test.each([
		['[]', []],
		['{"a":1}', { a: 1 }],
		[[1], [1]],
		[{ a: 1 }, { a: 1 }],
	])('are read from %p', (given, value) => {
		expect(parseJsonParams(given)).toEqual(value);
	});

	test.each(['1', '"[]"', 'null', '', 1, null, undefined])('are not %p', (given) => {
		expect(() => parseJsonParams(given)).toThrow(InvalidValue);
	});
});

describe('a JSON array', () => {
	test.each([
		['[]', []],
		['[{"a":1}, 2]', [{ a: 1 }, 2]],
		[[1], [1]],
	])('is read from %p', (given, value) => {
		expect(parseJsonList(given)).toEqual(value);
	});

	test.each(['{}', '1', '"[]"', 'null', '', {}, 1, null, undefined, [2 ** 53]])(
		'is not %p',
		(given) => {
			expect(() => parseJsonList(given)).toThrow(InvalidValue);
		},
	);
});

describe('JSON objects', () => {
	test.each([
		['{"a":1}', [{ a: 1 }]],
		['[{"a":1},{}]', [{ a: 1 }, {}]],
		[{ a: 1 }, [{ a: 1 }]],
		[
			[{ a: 1 }, {}],
			[{ a: 1 }, {}],
		],
	])('are read from %p', (given, objects) => {
		expect(parseJsonObjects(given)).toEqual(objects);
	});

	test.each(['[]', '[1]', '[{},null]', '[[]]', '"text"', 'null', '', [], [{}, 'x'], 5, null])(
		'are not %p',
		(given) => {
			expect(() => parseJsonObjects(given)).toThrow(InvalidValue);
		},
	);
});

test('a number of 10 MB leaves n8n its turns', async () => {
	const text = '1'.repeat(10_000_000);
	const parse = async () => expect(() => parseJsonValue(text)).toThrow(LOST_DIGITS);
	expect(await measureLeastGap(parse)).toBeLessThan(ALLOWED_UNITS);
});

describe('a list', () => {
	const words = listParser(parseText);

	test.each([
		['a,b', ['a', 'b']],
		[' a , b ,, c, ', ['a', 'b', 'c']],
		['a b\nc', ['a', 'b', 'c']],
		['["a","b"]', ['a', 'b']],
		[' [ "a b" ] ', ['a b']],
		[
			['a', 'b'],
			['a', 'b'],
		],
		['', []],
		['  ', []],
		['[]', []],
		[[], []],
		[undefined, []],
		[null, []],
		[5, ['5']],
	])('is read from %p', (given, list) => {
		expect(words(given)).toEqual(list);
	});

	test('reads each of its entries', () => {
		expect(listParser(parseQuantity)('1, 0x02')).toEqual(['0x1', '0x2']);
		expect(listParser(parseQuantity)(['1', 2, 3n])).toEqual(['0x1', '0x2', '0x3']);
		expect(listParser(parseQuantity)(16)).toEqual(['0x10']);
		expect(() => listParser(parseQuantity)('1,x')).toThrow(InvalidValue);
		expect(() => listParser(parseQuantity)([1, null])).toThrow(InvalidValue);
	});

	test('has at most 20,000 values, and the rest of a longer text is not split', () => {
		for (const [separator, given] of [
			[',', words],
			[' \n', listParser(parseQuantity)],
		] as const) {
			const text = (count: number) => `,${`1${separator}`.repeat(count)}`;
			expect(given(text(20_000))).toHaveLength(20_000);
			expect(() => given(text(20_001))).toThrow('a list of at most 20000 values');
		}
		for (const long of [Array(20_001).fill(1), `[${'1,'.repeat(20_000)}1]`])
			expect(() => words(long)).toThrow('a list of at most 20000 values');
	});

	test.each([',', '\n'])('of 10 MB between %j leaves n8n its turns', async (separator) => {
		const text = `1${separator}`.repeat(5_000_000);
		const parse = async () => expect(() => words(text)).toThrow(InvalidValue);
		expect(await measureLeastGap(parse)).toBeLessThan(ALLOWED_UNITS);
	});

	test.each(['["a"', '[a]', '["a",]'])('refuses a broken array: %s', (given) => {
		expect(() => words(given)).toThrow('valid JSON');
	});

	test('refuses an array whose numbers would lose digits', () => {
		expect(() => words(`[${UNSAFE}]`)).toThrow(LOST_DIGITS);
		expect(() => listParser(parseQuantity)([2 ** 53])).toThrow(InvalidValue);
	});
});
