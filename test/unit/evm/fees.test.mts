import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { feesFrom } from '../../../nodes/core/chain/fees';

const result = (value: unknown) => ({ result: value });
const gwei = (amount: number) => `0x${(BigInt(amount) * 10n ** 9n).toString(16)}`;
const of = (amount: number) => ({ wei: `${amount}000000000`, gwei: String(amount) });

const history = {
	oldestBlock: '0x1',
	baseFeePerGas: [gwei(7), gwei(8), gwei(9), gwei(10), gwei(11)],
	gasUsedRatio: [0.5, 0, 0.9, 1],
	reward: [
		[gwei(1), gwei(2), gwei(3)],
		[gwei(0), gwei(0), gwei(0)],
		[gwei(5), gwei(6), gwei(70)],
		[gwei(3), gwei(4), gwei(50)],
	],
};

test('the base fee is that of the next block, the others are those in the middle of the full blocks', () => {
	expect(feesFrom(result('0x3b9aca01'), result(history))).toEqual({
		gasPrice: { wei: '1000000001', gwei: '1.000000001' },
		baseFee: of(11),
		slow: of(3),
		normal: of(4),
		fast: of(50),
	});
});

test('where all blocks are empty they are what the node says', () => {
	const quiet = { ...history, gasUsedRatio: [0, 0, 0, 0] };
	expect(feesFrom(result('0x0'), result(quiet))).toMatchObject({ slow: of(3), normal: of(4) });
});

const none = { gasPrice: of(1), baseFee: null, slow: null, normal: null, fast: null };

test.each([
	['does not know the method', { failure: new RequestFailure('the method does not exist') }],
	['has no history', result({ oldestBlock: '0x0' })],
	['has an empty one', result({ baseFeePerGas: [], gasUsedRatio: [], reward: [] })],
	['has an odd one', result({ baseFeePerGas: ['x'], gasUsedRatio: 'a', reward: [null, 1, ['y']] })],
])('a chain that %s tells its gas price', (_, past) => {
	expect(feesFrom(result(gwei(1)), past)).toEqual(none);
});

test.each([
	[
		'a node that cannot be reached',
		{ failure: new RequestFailure('gone', { retry: { because: 'lost' } }) },
	],
	['a refused credential', { failure: new RequestFailure('gone', { httpCode: 401 }) }],
])('%s is a failure', (_, lost) => {
	expect(() => feesFrom(result('0x1'), lost)).toThrow('gone');
	expect(() => feesFrom(lost, result(history))).toThrow('gone');
});

test.each([[null], ['many'], [{}]])('%p is no gas price', (odd) => {
	expect(() => feesFrom(result(odd), result(history))).toThrow('did not answer with a gas price');
});
