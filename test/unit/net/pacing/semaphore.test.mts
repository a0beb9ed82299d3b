import { measureDuration } from '../../support/fakes.mts';
import { Stop, Stopped } from '../../../../nodes/core/net/pacing/stop';
import { Semaphore } from '../../../../nodes/core/net/pacing/concurrency';

afterEach(() => jest.useRealTimers());

const turn = async (ms = 0) => await new Promise((resolve) => setTimeout(resolve, ms));

describe('a stop', () => {
	test('is off until something failed', () => {
		const stop = new Stop();
		expect(() => stop.throwIfStopped()).not.toThrow();
		stop.stop();
		expect([stop.isStopped, stop.isCancelled]).toEqual([true, false]);
		expect(() => stop.throwIfStopped()).toThrow(Stopped);
	});

	test('is on when the execution is stopped', () => {
		const user = new AbortController();
		const stop = new Stop(user.signal);
		expect(stop.isStopped).toBe(false);
		user.abort();
		expect([stop.isStopped, stop.isCancelled]).toEqual([true, true]);
		expect(() => stop.throwIfStopped()).toThrow('The execution was canceled');
	});

	test('lets a pause last as long as it was asked to', async () => {
		jest.useFakeTimers();
		expect(await measureDuration(new Stop().pause(150))).toBe(150);
	});

	test.each([0, -5])(
		'lets a pause of %p ms pass at once, unless it is on',
		async (milliseconds) => {
			const stop = new Stop();
			await expect(stop.pause(milliseconds)).resolves.toBeUndefined();
			stop.stop();
			await expect(stop.pause(milliseconds)).rejects.toThrow(Stopped);
		},
	);

	test('ends a long pause early', async () => {
		const stop = new AbortController();
		const pause = new Stop(stop.signal).pause(600_000);
		setTimeout(() => stop.abort(), 20);
		await expect(pause).rejects.toThrow(Stopped);
	});
});

describe('the semaphore', () => {
	test('limits the jobs that run at once, begins them in order, and runs them all', async () => {
		const semaphore = new Semaphore(3, new Stop());
		const begun: number[] = [];
		let running = 0;
		let most = 0;
		const job = async (index: number) => {
			begun.push(index);
			most = Math.max(most, ++running);
			await turn(index % 3);
			running--;
			return index;
		};
		const indices = Array.from({ length: 20 }, (_, index) => index);
		const results = await Promise.all(
			indices.map(async (index) => await semaphore.run(async () => await job(index))),
		);
		expect(results).toEqual(indices);
		expect(begun).toEqual(indices);
		expect(most).toBe(3);
	});

	test('is left by a job that fails', async () => {
		const semaphore = new Semaphore(1, new Stop());
		const failing = () => Promise.reject(new Error('No.'));
		await expect(semaphore.run(failing)).rejects.toThrow('No.');
		await expect(semaphore.run(async () => 'done')).resolves.toBe('done');
	});

	test('begins no job after a stop, not even one that waited', async () => {
		const stop = new Stop();
		const semaphore = new Semaphore(1, stop);
		const waiting = jest.fn(async () => 'late');
		const first = semaphore.run(async () => {
			stop.stop();
			return 'first';
		});
		const second = semaphore.run(waiting);
		await expect(first).resolves.toBe('first');
		await expect(second).rejects.toThrow(Stopped);
		expect(waiting).not.toHaveBeenCalled();
	});

	test('gives a failure time to stop the next job', async () => {
		const stop = new Stop();
		const semaphore = new Semaphore(1, stop);
		const next = jest.fn(async () => 'next');
		const failing = semaphore.run(() => Promise.reject(new Error('No.')));
		const stopped = failing.catch(async () => {
			for (let step = 0; step < 20; step++) await Promise.resolve();
			stop.stop();
		});
		const second = semaphore.run(next);
		await stopped;
		await expect(second).rejects.toThrow(Stopped);
		expect(next).not.toHaveBeenCalled();
	});
});
