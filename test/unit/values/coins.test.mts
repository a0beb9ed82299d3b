import { parseAmountText, parseEther, unitsParser } from '../../../nodes/core/values/units';
import { InvalidValue } from '../../../nodes/core/values/parse';

const ETHER = 10n ** 18n;

describe('an amount of coins', () => {
	test.each<[given: unknown, wei: bigint]>([
		['0.1', ETHER / 10n],
		[' 1.50 ', (ETHER * 3n) / 2n],
		['.5', ETHER / 2n],
		['20 gwei', 20_000_000_000n],
		['7 WEI', 7n],
		[2, 2n * ETHER],
		[0.25, ETHER / 4n],
		// JavaScript writes the following three numbers with an exponent.
		[0.0000005, 500_000_000_000n],
		[1e-18, 1n],
		[1e21, 10n ** 39n],
	])('of %p is %d wei', (given, wei) => {
		expect(parseEther(given)).toBe(wei);
	});

	test.each([
		'0xff',
		'0x10',
		'0xfeth',
		'1e18',
		'1e-7',
		'-1',
		'1,5',
		'1 000',
		'١',
		'１',
		'unlimited',
		'',
		'1 finney',
		'20 gwei wei',
		'\u200b1',
		'1 '.repeat(9),
		'0x',
		-1,
		-1e-7,
		NaN,
		Infinity,
		true,
		null,
		[1],
		['1'],
		{ amount: 1 },
	])('of %j is refused', (given) => {
		expect(() => parseEther(given)).toThrow(InvalidValue);
		expect(() => parseEther(given)).toThrow(/whole coins|text/);
	});

	test.each([1e-19, '0.0000000000000000001'])('of %j has too many decimals', (given) => {
		expect(() => parseEther(given)).toThrow('an amount with at most 18 decimals');
	});

	test('that is endless is refused at once', () => {
		for (const given of ['1'.repeat(1_000_000), `${'1'.repeat(1_000_000)}x`]) {
			expect(() => parseEther(given)).toThrow(InvalidValue);
		}
	});

	test('that has lost digits already is wanted as text', () => {
		expect(() => parseEther(0.1 + 0.2)).toThrow('given as text');
		expect(() => parseEther(2 ** 70)).toThrow('given as text');
	});
});

test('an amount whose decimals are known later is read twice alike', () => {
	for (const given of ['1.25', 1.25, 5e-7, 1e21, '007', '.5']) {
		expect(unitsParser(18)(parseAmountText(given))).toBe(parseEther(given));
	}
});
