import fc from 'fast-check';
import { isReverted, findTransactionsToCheck } from '../../../nodes/core/evm/traces';
import { formatTrace } from '../../../nodes/core/evm/objects';

fc.configureGlobal({ seed: 20261121, numRuns: 500 });

const path = fc.array(fc.nat(2), { maxLength: 4 });
const trace = (traceAddress: unknown, more: object = {}) => ({
	transactionHash: '0xAB',
	traceAddress,
	...more,
});

test('what failed was undone, and all that is below it', () => {
	fc.assert(
		fc.property(path, fc.array(path, { maxLength: 3 }), (one, failed) => {
			const failures = failed.map((at) => trace(at, { error: 'Reverted' }));
			const isBelow = failed.some(
				(at) => at.length < one.length && at.every((step, depth) => step === one[depth]),
			);
			expect(isReverted(trace(one), failures)).toBe(isBelow);
			expect(isReverted(trace(one, { error: 'Out of gas' }), failures)).toBe(true);
		}),
	);
});

test.each([
	['the call itself', [0], [0], false],
	['a sibling', [0, 1], [0, 0], false],
	['a call below it', [0], [0, 1], false],
	['the one above', [0, 1], [0], true],
	['the transaction', [0, 1], [], true],
	['a longer one', [1], [1, 0], false],
])('a failure of %s', (_what, one, failed, expected) => {
	expect(isReverted(trace(one), [trace(failed, { error: 'x' })])).toBe(expected);
});

test('only transactions of nested calls that did not fail themselves have to be read', () => {
	const hash = (digit: string) => `0x${digit.repeat(64)}`;
	const of = (digit: string, traceAddress: unknown, more: object = {}) => ({
		...trace(traceAddress, more),
		transactionHash: hash(digit),
	});
	expect(
		findTransactionsToCheck([
			of('1', []),
			of('2', [0]),
			of('2', [1]),
			of('3', [0], { error: 'Reverted' }),
			{ traceAddress: [0], transactionHash: null },
			{ transactionHash: hash('4') },
		]),
	).toEqual([hash('2')]);
});

test.each([
	['call', '7'],
	['staticcall', '7'],
	['delegatecall', '0'],
	['callcode', '0'],
	[undefined, '7'],
])('the value of a %s is %s', (callType, value) => {
	expect(formatTrace({ action: { callType, value: '0x7' } }).value).toBe(value);
});
