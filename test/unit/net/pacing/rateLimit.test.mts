import { Stop, Stopped } from '../../../../nodes/core/net/pacing/stop';
import { RateLimit } from '../../../../nodes/core/net/pacing/rateLimit';
import { measureDuration } from '../../support/fakes.mts';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('the rate limit', () => {
	test('is unlimited until the first refusal', async () => {
		const rateLimit = new RateLimit(new Stop(), 120_000);
		rateLimit.countAnswered(100);
		expect(rateLimit.burst).toBe(Infinity);
		expect(
			await measureDuration(Promise.all([rateLimit.waitTurn(100), rateLimit.waitTurn(1000)])),
		).toBeLessThanOrEqual(10);
	});

	test('falls to what got through in the last second', async () => {
		const rateLimit = new RateLimit(new Stop(), 120_000);
		rateLimit.countAnswered(500);
		await jest.advanceTimersByTimeAsync(1001);
		rateLimit.countAnswered(20);
		rateLimit.countRefused(80);
		expect(rateLimit.burst).toBe(10);
	});

	test('falls to half of what was asked when nothing got through', () => {
		const rateLimit = new RateLimit(new Stop(), 120_000);
		rateLimit.countRefused(100);
		expect(rateLimit.burst).toBe(25);
	});

	test('spaces the turns by their calls', async () => {
		const rateLimit = new RateLimit(new Stop(), 120_000);
		rateLimit.countAnswered(20);
		rateLimit.countRefused(80);
		expect(await measureDuration(rateLimit.waitTurn(10))).toBeLessThanOrEqual(10);
		expect(await measureDuration(rateLimit.waitTurn(5))).toBeCloseTo(500, -2);
		expect(await measureDuration(rateLimit.waitTurn(1))).toBeCloseTo(250, -2);
	});

	test('falls once for refusals that were under way together', async () => {
		const rateLimit = new RateLimit(new Stop(), 120_000);
		rateLimit.countRefused(100);
		rateLimit.countRefused(100);
		expect(rateLimit.burst).toBe(25);
		await jest.advanceTimersByTimeAsync(1000);
		rateLimit.countRefused(100);
		expect(rateLimit.burst).toBe(20);
	});

	test('rises while calls get through, and never sinks to a standstill', async () => {
		const rateLimit = new RateLimit(new Stop(), 120_000);
		for (let second = 0; second < 20; second++) {
			rateLimit.countRefused(1);
			await jest.advanceTimersByTimeAsync(1000);
		}
		expect(rateLimit.burst).toBe(1);
		expect(await measureDuration(rateLimit.waitTurn(1))).toBeLessThanOrEqual(2000);
		rateLimit.countAnswered(400);
		expect(rateLimit.burst).toBeGreaterThanOrEqual(10);
	});

	test('is not changed by a refusal or an answer of no calls', () => {
		const rateLimit = new RateLimit(new Stop(), 120_000);
		rateLimit.countRefused(0);
		rateLimit.countAnswered(0);
		expect(rateLimit.burst).toBe(Infinity);
	});

	test('is stuck when everything was refused for minutes; silence is another matter', async () => {
		const rateLimit = new RateLimit(new Stop(), 120_000);
		await jest.advanceTimersByTimeAsync(500_000);
		rateLimit.countRefused(1);
		await jest.advanceTimersByTimeAsync(120_000);
		rateLimit.countRefused(1);
		expect(rateLimit.isStuck).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(rateLimit.isStuck).toBe(true);
		rateLimit.countAnswered(1);
		expect(rateLimit.isStuck).toBe(false);
	});

	test('makes nobody wait for a service that is stuck', async () => {
		const rateLimit = new RateLimit(new Stop(), 120_000);
		rateLimit.countRefused(1);
		await jest.advanceTimersByTimeAsync(120_001);
		const turns = Promise.all([
			rateLimit.waitTurn(1),
			rateLimit.waitTurn(1),
			rateLimit.waitTurn(1),
		]);
		expect(await measureDuration(turns)).toBeLessThanOrEqual(10);
	});

	test('gives no turn after a stop, nor during it', async () => {
		const stop = new Stop();
		const rateLimit = new RateLimit(stop, 120_000);
		rateLimit.countRefused(1);
		await rateLimit.waitTurn(100);
		const waiting = rateLimit.waitTurn(1);
		const ended = expect(waiting).rejects.toThrow(Stopped);
		stop.stop();
		await jest.advanceTimersByTimeAsync(200);
		await ended;
		await expect(rateLimit.waitTurn(1)).rejects.toThrow(Stopped);
	});
});
