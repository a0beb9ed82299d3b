import fc from 'fast-check';
import {
	findTransactionsToCheck,
	isReverted,
	mergeTraces,
	readTraces,
	type TracePage,
} from '../../../nodes/core/evm/traces';
import { formatTrace } from '../../../nodes/core/evm/chainObjects';
import { createChain, collectAll } from '../support/chains.mts';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261121), numRuns: 500 });

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

describe('traces of several searches', () => {
	const reward = (value: string) => ({ blockNumber: 11, type: 'reward', action: { value } });

	test('hold each reward once', () => {
		const [one, two] = [reward('0x1'), reward('0x2')];
		expect(mergeTraces([[one], [reward('0x1'), two]])).toEqual([one, two]);
	});

	test('hold once what one answer names twice, unless there may be two of its kind', () => {
		const [placed, unplaced] = [trace([0]), trace(undefined)];
		expect(mergeTraces([[placed, { ...placed }], [placed]])).toEqual([placed]);
		expect(mergeTraces([[unplaced, { ...unplaced }], [unplaced]])).toEqual([unplaced, unplaced]);
	});
});

describe('traces that are read', () => {
	/** Reads all pages of traces from a node that answers by the function `search`. */
	async function allTraces(search: (page: TracePage) => unknown, filter: object, wanted?: number) {
		const chain = createChain((_method, [page]) => search(page as unknown as TracePage));
		return await collectAll(readTraces(chain, filter, { count: 5 }, wanted));
	}

	const traces = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));

	test('the filter is asked for on every page, no more than is wanted, and a first page that is empty is the last', async () => {
		const search = jest.fn(async ({ after = 0 }: TracePage) => traces(9).slice(after, after + 3));
		await allTraces(search, { fromBlock: '0x1' }, 7);
		expect(search.mock.calls).toEqual([
			[{ fromBlock: '0x1', count: 5 }],
			[{ fromBlock: '0x1', count: 4, after: 3 }],
			[{ fromBlock: '0x1', count: 1, after: 6 }],
		]);
		const nothing = jest.fn(async () => []);
		expect(await allTraces(nothing, {})).toEqual([]);
		expect(nothing).toHaveBeenCalledTimes(1);
	});

	test('a node that knows no pages gives its whole list, one that repeats a full page fails', async () => {
		expect(await allTraces(async () => traces(4), {})).toEqual(traces(4));
		await expect(allTraces(async ({ count }) => traces(count), {})).rejects.toThrow(
			/the same page of a list twice/,
		);
	});

	test('an error among the traces is no trace: the list is incomplete', async () => {
		const error = { code: -32000, message: 'execution aborted (timeout = 5s)' };
		await expect(allTraces(async () => [...traces(1), { error }], {})).rejects.toMatchObject({
			message: error.message,
			description: expect.stringMatching(/ended after 1 /),
		});
	});

	test('a trace that failed is one all the same', async () => {
		const failed = [{ action: {}, error: 'Reverted' }];
		expect(await allTraces(async () => failed, {})).toEqual(failed);
	});
});
