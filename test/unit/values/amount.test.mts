import fc from 'fast-check';
import { formatEther, parseEther } from 'viem';
import { parseWei, parseWeiQuantity } from '../../../nodes/core/values/units';
import { InvalidValue } from '../../../nodes/core/values/parse';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261121), numRuns: 300 });

describe('an amount', () => {
	test.each([
		['1.5 ether', 1_500_000_000_000_000_000n],
		['0.000000000000000001 ETH', 1n],
		['20 gwei', 20_000_000_000n],
		['20gwei', 20_000_000_000n],
		[' 7 wei ', 7n],
		['7.0 wei', 7n],
		['.1 ether', 100_000_000_000_000_000n],
		['.0 gwei', 0n],
		['7', 7n],
		['0x7', 7n],
		[7, 7n],
		['007 gwei', 7_000_000_000n],
		[
			'115792089237316195423570985008687907853269984665640564039457584007913129639935 wei',
			2n ** 256n - 1n,
		],
	])('of %j is %d wei', (given, wei) => {
		expect(parseWei(given)).toBe(wei);
		expect(parseWeiQuantity(given)).toBe(`0x${wei.toString(16)}`);
	});

	test.each([
		'1.5 wei',
		'0.0000000000000000001 ether',
		'1e18 wei',
		'-1 ether',
		'1,5 ether',
		'-.5 ether',
		'. ether',
		'5. ether',
		'1 finney',
		'ether',
		'115792089237316195423570985008687907853269984665640564039457584007913129639936 wei',
		'1158 ether'.padStart(200, '9'),
		1.5,
		'',
		null,
		['1 ether'],
	])('of %j is refused', (given) => {
		expect(() => parseWei(given)).toThrow(InvalidValue);
	});

	test.each(['-1 gwei', '-0 ether', '-1', -1, -1n, '1 finney', 'ether', '. gwei', '', '1,5 ether'])(
		'of %p is refused with the units that are wanted',
		(given) => {
			expect(() => parseWei(given)).toThrow(
				'an amount of 0 or more, in whole wei or with a unit, such as 20 gwei or 0.1 ether',
			);
		},
	);

	test('is read as another library reads it', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: 0n, max: 2n ** 200n }), (wei) => {
				const text = formatEther(wei);
				expect(parseWei(`${text} ether`)).toBe(parseEther(text));
			}),
		);
	});
});
