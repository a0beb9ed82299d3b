import { getEventListeners } from 'node:events';
import { wait } from '../../nodes/core/pacing/wait';

async function timeOf(waiting: Promise<void>): Promise<number> {
	const began = performance.now();
	await waiting;
	return performance.now() - began;
}

describe('waiting', () => {
	test.each([0, 1, 30.5])('takes %f ms', async (milliseconds) => {
		const took = await timeOf(wait(milliseconds));
		expect(took).toBeGreaterThan(milliseconds - 2);
		expect(took).toBeLessThan(milliseconds + 100);
	});

	test('is over at once when one of the signals has come', async () => {
		const { signal } = new AbortController();
		expect(await timeOf(wait(5_000, signal, AbortSignal.abort()))).toBeLessThan(100);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('ends with the first signal, and listens no longer', async () => {
		const [one, other] = [new AbortController(), new AbortController()];
		const waiting = timeOf(wait(5_000, one.signal, other.signal));
		expect(getEventListeners(one.signal, 'abort')).toHaveLength(1);
		setTimeout(() => other.abort(), 20);
		expect(await waiting).toBeLessThan(200);
		expect(getEventListeners(one.signal, 'abort')).toEqual([]);
		expect(getEventListeners(other.signal, 'abort')).toEqual([]);
	});

	test('a thousand times leaves no listener', async () => {
		const { signal } = new AbortController();
		for (let count = 0; count < 1_000; count++) await wait(0, signal, AbortSignal.abort());
		await wait(1, signal);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});
