import fc from 'fast-check';
import { formatUnits as formatByViem, parseUnits } from 'viem';
import {
	formatDecimal,
	formatUnits,
	parseDecimal,
	shiftDecimal,
} from '../../../nodes/core/values/units';
import { InvalidValue } from '../../../nodes/core/values/parse';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261123), numRuns: 1000 });

const textOf = (given: unknown) => formatDecimal(parseDecimal(given));

describe('a decimal number', () => {
	test.each([
		['1.5', '1.5'],
		['-1.50', '-1.5'],
		['+007', '7'],
		['.1', '0.1'],
		['-0', '0'],
		['0.000', '0'],
		[' 20 ', '20'],
		['1e18', '1000000000000000000'],
		['1.5E+3', '1500'],
		['-12.34e-5', '-0.0001234'],
		['100e-2', '1'],
		['0x1f', '31'],
		['0XFF', '255'],
		[0.1, '0.1'],
		[1e-7, '0.0000001'],
		[1e21, '1000000000000000000000'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
		[-2.5, '-2.5'],
		[10n ** 30n, `1${'0'.repeat(30)}`],
		[`0.${'0'.repeat(900)}1`, `0.${'0'.repeat(900)}1`],
		['9'.repeat(1000), '9'.repeat(1000)],
	])('%j is %s', (given, text) => {
		expect(textOf(given)).toBe(text);
	});

	test.each([
		'',
		' ',
		'.',
		'1.',
		'-',
		'e5',
		'1e',
		'1e1.5',
		'1,5',
		'1,000.5',
		'1_000',
		'1 000',
		'1.5 ether',
		'0x',
		'0x1g',
		'-0x1',
		'0x1.5',
		'١',
		'Infinity',
		'NaN',
		'--1',
		'1.2.3',
		'1e1001',
		'1e-1001',
		'1e99999',
		'9'.repeat(1001),
		null,
		undefined,
		Number.NaN,
		Infinity,
		true,
		[],
		['1'],
		{},
	])('%j is refused', (given) => {
		expect(() => parseDecimal(given)).toThrow(InvalidValue);
	});

	test.each([0.1 + 0.2, 2 ** 53 + 2, 123456789.12345679])(
		'%d has lost digits, and must be text',
		(given) => {
			expect(() => parseDecimal(given)).toThrow('given as text');
		},
	);

	test('a wrong one of any length is refused at once', () => {
		expect(() => parseDecimal(`${'1'.repeat(1_000_000)}x`)).toThrow('at most 1000 characters');
	});
});

test('shifted by places, it is what viem makes of it', () => {
	const amounts = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n });
	fc.assert(
		fc.property(amounts, fc.integer({ min: 0, max: 60 }), (amount, places) => {
			const text = formatByViem(amount, places);
			expect(formatDecimal(shiftDecimal(parseDecimal(String(amount)), -places))).toBe(text);
			expect(formatDecimal(shiftDecimal(parseDecimal(text), places))).toBe(
				String(parseUnits(text, places)),
			);
		}),
	);
});

test('shifted to and fro, no digit is lost', () => {
	const digits = fc.stringMatching(/^-?[1-9]\d{0,80}\.\d{0,80}[1-9]$/);
	fc.assert(
		fc.property(digits, fc.integer({ min: -300, max: 300 }), (text, places) => {
			expect(formatDecimal(shiftDecimal(shiftDecimal(parseDecimal(text), places), -places))).toBe(
				text,
			);
		}),
	);
});

describe('an amount', () => {
	test.each([
		[0n, 18, '0'],
		[1n, 0, '1'],
		[1n, 18, '0.000000000000000001'],
		[1_500_000n, 6, '1.5'],
		[1_000_000n, 6, '1'],
		[100n, 0, '100'],
		[-1_500_000n, 6, '-1.5'],
		[
			2n ** 256n - 1n,
			77,
			'1.15792089237316195423570985008687907853269984665640564039457584007913129639935',
		],
	])('%p with %i decimals is %s', (amount, decimals, text) => {
		expect(formatUnits(amount, decimals)).toBe(text);
	});

	test('is what viem makes of it, without a digit lost', () => {
		const amount = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n });
		const property = fc.property(amount, fc.integer({ min: 0, max: 255 }), (value, decimals) => {
			expect(formatUnits(value, decimals)).toBe(formatByViem(value, decimals));
		});
		fc.assert(property);
	});
});
