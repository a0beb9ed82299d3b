import { getEventListeners } from 'node:events';
import { createTimeoutSignal, unlessAborted, wait } from '../../../../nodes/core/net/pacing/stop';
import { measureDuration } from '../../support/fakes.mts';

const A_DAY = 86_400_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('waiting', () => {
	test.each([
		[-5, 0],
		[0, 0],
		[10, 10],
		[39.5, 40],
		[60_000, 60_000],
	])('for %f ms takes %i', async (milliseconds, took) => {
		expect(await measureDuration(wait(milliseconds))).toBe(took);
	});

	test('is over at once when one of the signals has come', async () => {
		const { signal } = new AbortController();
		await wait(A_DAY, signal, AbortSignal.abort());
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('ends with the first signal, and listens no longer', async () => {
		const [one, other] = [new AbortController(), new AbortController()];
		const waiting = measureDuration(wait(A_DAY, one.signal, other.signal));
		expect(getEventListeners(one.signal, 'abort')).toHaveLength(1);
		setTimeout(() => other.abort(), 20);
		expect(await waiting).toBe(20);
		expect(getEventListeners(one.signal, 'abort')).toEqual([]);
		expect(getEventListeners(other.signal, 'abort')).toEqual([]);
	});

	test('a thousand times leaves no listener', async () => {
		const { signal } = new AbortController();
		for (let count = 0; count < 1_000; count++) await wait(0, signal, AbortSignal.abort());
		await measureDuration(wait(1, signal));
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

describe('work', () => {
	const work = async (milliseconds: number) =>
		await new Promise<string>((resolve) => setTimeout(resolve, milliseconds, 'done'));

	test('that is done in time returns its result, and nothing listens any more', async () => {
		const { signal } = new AbortController();
		for (let count = 0; count < 100; count++) {
			expect(await unlessAborted(Promise.resolve('done'), createTimeoutSignal(A_DAY), signal)).toBe(
				'done',
			);
		}
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('that takes too long is not waited for', async () => {
		const waiting = unlessAborted(work(A_DAY), createTimeoutSignal(20));
		expect(await measureDuration(waiting)).toBe(20);
		expect(await waiting).toBeUndefined();
	});

	test('is not waited for when a signal has come, and its failure harms nothing', async () => {
		const failing = work(10).then(() => Promise.reject(new Error('late')));
		expect(await unlessAborted(failing, AbortSignal.abort())).toBeUndefined();
		const failure = expect(failing).rejects.toThrow('late');
		await jest.advanceTimersByTimeAsync(10);
		await failure;
	});

	test('that fails in time fails', async () => {
		const failing = Promise.reject(new Error('early'));
		await expect(unlessAborted(failing, createTimeoutSignal(A_DAY))).rejects.toThrow('early');
	});
});
