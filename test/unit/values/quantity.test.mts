import fc from 'fast-check';
import { InvalidValue } from '../../../nodes/core/values/parse';
import { optionalParser, parseQuantity, parseUint256 } from '../../../nodes/core/values/numbers';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261120), numRuns: 300 });

const LARGEST = 2n ** 256n - 1n;
const amounts = fc.oneof(
	fc.bigInt({ min: 0n, max: LARGEST }),
	fc.bigInt({ min: 0n, max: 2n ** 54n }),
	fc.constantFrom(0n, 1n, 15n, 16n, LARGEST),
);

function spellings(amount: bigint, zeros: number): unknown[] {
	const hex = amount.toString(16);
	const padding = '0'.repeat(zeros);
	const exact = [
		amount,
		amount.toString(),
		padding + amount.toString(),
		` ${amount}\n`,
		`0x${hex}`,
		`0x${hex.toUpperCase()}`,
		`0X${hex}`,
		`0x${padding}${hex}`,
	];
	return amount <= BigInt(Number.MAX_SAFE_INTEGER) ? [...exact, Number(amount)] : exact;
}

const REFUSED = [
	['a negative number', -1],
	['a negative text', '-1'],
	['a negative bigint', -1n],
	['a fraction', 1.5],
	['a fraction as text', '1.5'],
	['a word', 'abc'],
	['hex without 0x', 'ff'],
	['nothing', ''],
	['white space', ' '],
	['an exponent', '1e18'],
	['a thousands separator', '1,000'],
	['two numbers', '1 2'],
	['0x without digits', '0x'],
	['a minus before 0x', '-0x1'],
	['octal', '0o17'],
	['binary', '0b11'],
	['NaN', NaN],
	['Infinity', Infinity],
	['2^53 as a number', 2 ** 53],
	['an amount in wei as a number', 1e18],
	['2^256', 2n ** 256n],
	['2^256 as text', (2n ** 256n).toString()],
	['2^256 as hex', `0x1${'0'.repeat(64)}`],
	['digits without end', '9'.repeat(1001)],
	['hex without end', `0x${'f'.repeat(1000)}`],
	['true', true],
	['null', null],
	['undefined', undefined],
	['a list', []],
	['a list of a number', [1]],
	['an object', {}],
] as const;

describe('a whole amount', () => {
	test('is read exactly in every spelling', () => {
		fc.assert(
			fc.property(amounts, fc.nat(70), (amount, zeros) => {
				for (const given of spellings(amount, zeros)) expect(parseUint256(given)).toBe(amount);
			}),
		);
	});

	test.each(REFUSED)('is not %s', (_, given) => {
		expect(() => parseUint256(given)).toThrow(InvalidValue);
	});

	test.each(['9'.repeat(40_000_000), `0x${'f'.repeat(40_000_000)}`])(
		'that is endless is refused at once',
		(given) => {
			expect(() => parseUint256(given)).toThrow('a number of at most 1000 characters');
		},
	);

	test('that lost its digits in a number is refused with the way out', () => {
		expect(() => parseUint256(2 ** 53)).toThrow(/given as text/);
	});
});

describe('a quantity', () => {
	test('is hex without leading zeros, whatever the spelling', () => {
		fc.assert(
			fc.property(amounts, fc.nat(70), (amount, zeros) => {
				for (const given of spellings(amount, zeros)) {
					const sent = parseQuantity(given);
					expect(sent).toMatch(/^0x(0|[1-9a-f][0-9a-f]*)$/);
					expect(BigInt(sent)).toBe(amount);
				}
			}),
		);
	});

	test.each([0, '0', '0x0', '0x00', '000', 0n, -0])('of zero, given as %p, is 0x0', (given) => {
		expect(parseQuantity(given)).toBe('0x0');
	});

	test.each(REFUSED)('is not %s', (_, given) => {
		expect(() => parseQuantity(given)).toThrow(InvalidValue);
	});
});

describe('an optional quantity', () => {
	const read = optionalParser(parseQuantity);

	test.each([undefined, null, ''])('is undefined when %p is given', (given) => {
		expect(read(given)).toBeUndefined();
	});

	test('is read when given, zero too', () => {
		expect(read(0)).toBe('0x0');
		expect(read('16')).toBe('0x10');
		expect(() => read('abc')).toThrow(InvalidValue);
	});
});
