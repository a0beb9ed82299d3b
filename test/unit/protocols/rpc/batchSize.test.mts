import { isDeepStrictEqual } from 'node:util';
import {
	BatchSize,
	NO_SIZE_OUTCOME,
	mergeOutcomes,
} from '../../../../nodes/core/protocols/rpc/batchSize';
import { takeRows } from '../../../harness/caseCount.mts';
import { callAll, buildResultsExcept, includesCall, buildCalls } from '../../support/batching.mts';
import { buildResponse, buildEcho, createFakeHttp } from '../../support/fakes.mts';
import { READ_COUNT, FAULTY_BATCH_NODES } from '../../support/troubledNodes.mts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe.each(takeRows(FAULTY_BATCH_NODES, 5))('a node that $name', ({ serve, ideal, factor }) => {
	test(`is asked for 10,000 reads in at most ${factor} times the requests of one who knows it`, async () => {
		const http = createFakeHttp(serve());
		const answers = await callAll(http, buildCalls(READ_COUNT));
		expect(answers).toHaveLength(READ_COUNT);
		// The values are compared without `toEqual`, which takes longer than the requests for so many values.
		expect(answers.filter((one, at) => !isDeepStrictEqual(one, [at]))).toEqual([]);
		expect(http.sent.length).toBeLessThanOrEqual(ideal * factor);
		const times = new Map<unknown, number>();
		for (const { calls } of http.sent) {
			for (const { params } of calls) times.set(params[0], (times.get(params[0]) ?? 0) + 1);
		}
		// A failing batch is sent twice as a whole, and then in halves down to single calls.
		expect(Math.max(...times.values())).toBeLessThanOrEqual(9);
	});
});

const whole = (size: number) => ({ answered: size, tooLarge: [] });

/** Records batches of which those with more than `most` calls fail, and returns the sizes of the first batches. */
function tried(size: BatchSize, most: number, batches: number): number[] {
	return Array.from({ length: batches }, () => {
		const { nextSize: next } = size;
		const isTrial = size.beginTrial(next);
		const half = Math.ceil(next / 2);
		size.recordOutcome(
			next,
			next > most ? { answered: half, tooLarge: [next] } : whole(next),
			isTrial,
		);
		return next;
	});
}

describe('the size of batches', () => {
	test('is given up when a second one fails for it, not for the first', () => {
		const sizes = tried(new BatchSize(100), 50, 20);
		expect(sizes.filter((one) => one > 50)).toHaveLength(2);
		expect(sizes.at(-1)).toBe(50);
	});

	test('stays when one fails and the next is answered', () => {
		const size = new BatchSize(100);
		for (let round = 0; round < 5; round++) {
			size.recordOutcome(100, { answered: 50, tooLarge: [100] }, false);
			size.recordOutcome(100, whole(100), false);
		}
		expect(size.nextSize).toBe(100);
	});

	test('says nothing while nothing was answered, whatever it was sent in', () => {
		const size = new BatchSize(100);
		size.recordOutcome(
			100,
			mergeOutcomes(100, Array(2).fill({ length: 50, outcome: NO_SIZE_OUTCOME })),
			false,
		);
		expect(size.nextSize).toBe(100);
	});

	test('is tried again after a while, and less and less often', () => {
		const size = new BatchSize(100);
		size.shrinkTo(25);
		const sizes = tried(size, 30, 400);
		const trials = sizes.flatMap((one, at) => (one === 25 ? [] : [at]));
		expect(trials.length).toBeGreaterThanOrEqual(3);
		const pauses = trials.map((at, index) => at - (trials[index - 1] ?? -1) - 1);
		for (const [index, pause] of pauses.slice(1).entries()) {
			expect(pause).toBeGreaterThanOrEqual(2 * (pauses[index] ?? Infinity));
		}
	});

	test('grows to the largest in a few steps when nothing is in the way', () => {
		const size = new BatchSize(100);
		size.shrinkTo(1);
		const sizes = tried(size, 100, 40);
		expect(Math.max(...sizes)).toBe(100);
		expect(sizes.filter((one, at) => one > 2 * (sizes[at - 1] ?? 1))).toEqual([]);
		// Seven doublings lead from 1 to 100, and sizes that have worked are not tried again.
		expect(sizes.filter((one) => one > 1 && one < 100).length).toBeLessThanOrEqual(6);
		expect(sizes.slice(sizes.indexOf(100)).every((one) => one === 100)).toBe(true);
	});

	test('is tried by one batch at a time', () => {
		const size = new BatchSize(100);
		size.shrinkTo(10);
		while (size.nextSize === 10) tried(size, 100, 1);
		const larger = size.nextSize;
		expect(size.beginTrial(larger)).toBe(true);
		expect(size.nextSize).toBe(10);
		expect(size.beginTrial(10)).toBe(false);
		expect([size.isTooLarge(larger), size.isTooLarge(larger + 1)]).toEqual([false, true]);
		size.recordOutcome(larger, NO_SIZE_OUTCOME, true);
		expect(size.nextSize).toBe(larger);
	});
});

describe.each([402, 403, 405, 415, 451])('a %i', (status) => {
	const refusing = (...indices: readonly number[]) =>
		createFakeHttp((sent) =>
			includesCall(sent.calls, ...indices) ? buildResponse(status, 'No.') : buildEcho(sent),
		);

	test.each([
		['the first call of a batch leaves the others together', 0, 5],
		['one call in the middle leaves most together', 57, 20],
	])('for %s', async (_, index, most) => {
		const http = refusing(index);
		expect(await callAll(http, buildCalls(100))).toEqual(buildResultsExcept(100, 'No.', index));
		expect(http.sent.length).toBeLessThanOrEqual(most);
	});

	test('for every call costs few requests', async () => {
		const http = createFakeHttp(() => buildResponse(status, 'Never.'));
		expect(await callAll(http, buildCalls(100))).toEqual(Array(100).fill('Never.'));
		expect(http.sent.length).toBeLessThanOrEqual(3);
	});

	test('for the first of three calls says nothing of the size', async () => {
		const http = refusing(0);
		const found = await callAll(http, buildCalls(30), { batchSize: 3, concurrency: 1 });
		expect(found).toEqual(buildResultsExcept(30, 'No.', 0));
		// The client sends ten batches, and then each of the three calls of the first batch alone.
		expect(http.sent.length).toBeLessThanOrEqual(13);
	});

	test('for two neighbours, of a server that answers others, fails them alone', async () => {
		const bad = Array.from({ length: 100 }, (_, index) => index).filter((index) => index % 10 >= 8);
		const found = await callAll(refusing(...bad), buildCalls(100), {
			batchSize: 8,
			concurrency: 1,
		});
		expect(found).toEqual(buildResultsExcept(100, 'No.', ...bad));
	});
});
