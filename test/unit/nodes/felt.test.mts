import fc from 'fast-check';
import { parseFelt } from '../../../nodes/L2Simulate/transactionFields';
import { InvalidValue } from '../../../nodes/core/values/parse';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261120), numRuns: 300 });

const PRIME = BigInt('0x800000000000011000000000000000000000000000000000000000000000001');

describe('a field element', () => {
	test('in decimal is sent as hex', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: 0n, max: PRIME - 1n }), (amount) => {
				expect(parseFelt(amount.toString())).toBe(`0x${amount.toString(16)}`);
				expect(parseFelt(amount)).toBe(`0x${amount.toString(16)}`);
			}),
		);
		expect(parseFelt(0)).toBe('0x0');
		expect(parseFelt(16)).toBe('0x10');
	});

	test.each([
		['0x0', '0x0'],
		['0x00', '0x0'],
		['0x1a2b', '0x1a2b'],
		[' 0x1A2B ', '0x1a2b'],
		[
			'0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7',
			'0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7',
		],
	])('in hex goes out without leading zeros, which strict nodes refuse: %s', (given, sent) => {
		expect(parseFelt(given)).toBe(sent);
	});

	test('is below the prime', () => {
		expect(parseFelt(PRIME - 1n)).toBe(`0x${(PRIME - 1n).toString(16)}`);
		for (const tooLarge of [PRIME, PRIME.toString(), `0x${PRIME.toString(16)}`, PRIME + 1n]) {
			expect(() => parseFelt(tooLarge)).toThrow(/a felt/);
		}
	});

	test.each([-1, 1.5, 2 ** 53, 'abc', '', '0x', '0xg', null, undefined, true, {}, ['0x1']])(
		'is not %p',
		(given) => {
			expect(() => parseFelt(given)).toThrow(InvalidValue);
		},
	);
});
