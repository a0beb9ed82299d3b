import fc from 'fast-check';
import { anyText } from '../../harness/anyText.mts';
import { parseJson, parseJsonValue, tryParseJson } from '../../../nodes/core/values/json';
import { catching, InvalidValue, isRecord } from '../../../nodes/core/values/parse';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261120), numRuns: 300 });

/** A JSON text, the value that it stands for, and the expected result of parsing it. */
interface Sample {
	readonly text: string;
	readonly value: unknown;
	readonly isUnsafe: boolean;
}

const plain = (value: unknown): Sample => {
	const text = JSON.stringify(value);
	return { text, value: JSON.parse(text) as unknown, isUnsafe: false };
};

const trickyText = fc.oneof(
	anyText,
	fc.string({ unit: fc.constantFrom(...'0123456789', '"', '\\', '{', '}', '[', ',', ':', '-') }),
	fc.bigInt({ min: 10n ** 16n, max: 10n ** 40n }).map((digits) => `"${digits}\\`),
);

/**
 * Random numbers without large integers, which would be parsed to text. The constant `integer` makes large integers.
 */
const double = fc
	.double({ noNaN: true, noDefaultInfinity: true })
	.filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value));

const integer = fc
	.oneof(
		fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }),
		fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
		fc.bigInt({ min: -(2n ** 53n) - 3n, max: -(2n ** 53n) + 3n }),
	)
	.map((exact): Sample => {
		const isUnsafe = !Number.isSafeInteger(Number(exact));
		return { text: `${exact}`, value: isUnsafe ? `${exact}` : Number(exact), isUnsafe };
	});

const space = fc.constantFrom('', ' ', '\n\t');

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
	sample: fc.oneof(
		{ maxDepth: 4, withCrossShrink: true },
		fc.oneof(integer, fc.oneof(trickyText, double, fc.boolean(), fc.constant(null)).map(plain)),
		fc.tuple(space, fc.array(tie('sample'), { maxLength: 5 })).map(([gap, list]) => ({
			text: `[${list.map(({ text }) => gap + text + gap).join(',')}]`,
			value: list.map(({ value }) => value),
			isUnsafe: list.some(({ isUnsafe }) => isUnsafe),
		})),
		fc
			.tuple(
				space,
				fc.uniqueArray(fc.tuple(trickyText, tie('sample')), { selector: ([key]) => key }),
			)
			.map(([gap, entries]) => ({
				text: `{${entries.map(([key, { text }]) => `${JSON.stringify(key)}${gap}:${gap}${text}`).join(',')}}`,
				value: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
				isUnsafe: entries.some(([, { isUnsafe }]) => isUnsafe),
			})),
	),
}));

describe('JSON is parsed so', () => {
	test('that no integer loses a digit, and everything else is what it was', () => {
		fc.assert(
			fc.property(sample, ({ text, value }) => {
				expect(parseJson(text)).toEqual(value);
			}),
		);
	});

	test.each([
		['9007199254740991', 9007199254740991],
		['9007199254740992', '9007199254740992'],
		['-9007199254740993', '-9007199254740993'],
		['0.12345678901234567', Number('0.12345678901234567')],
		['1234567890123456.5', 1234567890123456.5],
		['1.5e300', 1.5e300],
		['{"12345678901234567890":1}', { '12345678901234567890': 1 }],
		['["\\\\",12345678901234567890]', ['\\', '12345678901234567890']],
		['["\\"",12345678901234567890]', ['"', '12345678901234567890']],
	])('that %s is read right', (text, value) => {
		expect(parseJson(text)).toEqual(value);
	});

	test.each(['', '{', '[1,]', '01234567890123456789', '<html>', '12345678901234567890 1', '"'])(
		'that %p is none',
		(text) => {
			expect(() => parseJson(text)).toThrow(SyntaxError);
			expect(tryParseJson(text)).toBeUndefined();
		},
	);
});

test('deeper than n8n can store is none, however it is spelled', () => {
	const nested = (depth: number) => `${'[{"[":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
	expect(JSON.stringify(tryParseJson(nested(3000)))).toBe(nested(3000));
	expect(tryParseJson(nested(3002))).toBeUndefined();
	const wide = `[${'["["],'.repeat(5000)}0]`;
	expect(tryParseJson(wide)).toHaveLength(5001);
});

describe('an integer beyond the safe ones', () => {
	test('is found wherever it is, and only there', () => {
		fc.assert(
			fc.property(sample, ({ text, isUnsafe }) => {
				const value = catching(InvalidValue, () => parseJsonValue(text));
				expect(value instanceof InvalidValue).toBe(isUnsafe);
			}),
		);
	});
});

describe('a record', () => {
	test.each([{}, { a: 1 }])('is %p', (value) => {
		expect(isRecord(value)).toBe(true);
	});

	test.each([null, undefined, [], [{}], 'text', 5, true])('is not %p', (value) => {
		expect(isRecord(value)).toBe(false);
	});
});
