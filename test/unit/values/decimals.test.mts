import fc from 'fast-check';
import { formatUnits as formatByViem } from 'viem';
import { formatUnits } from '../../../nodes/core/values/units';

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
	fc.assert(property, { seed: 15, numRuns: 1000 });
});
