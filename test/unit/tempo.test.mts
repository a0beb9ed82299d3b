import { Halted } from '../../nodes/core/failure';
import { Halt } from '../../nodes/core/halt';
import { Tempo } from '../../nodes/core/tempo';
import { duration } from './support.mts';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('the tempo', () => {
	test('is unlimited until the first refusal', async () => {
		const tempo = new Tempo(new Halt());
		tempo.answered(100);
		expect(tempo.burst).toBe(Infinity);
		expect(await duration(Promise.all([tempo.turn(100), tempo.turn(1000)]))).toBeLessThanOrEqual(
			10,
		);
	});

	test('falls to what got through in the last second', async () => {
		const tempo = new Tempo(new Halt());
		tempo.answered(500);
		await jest.advanceTimersByTimeAsync(1001);
		tempo.answered(20);
		tempo.refused(80);
		expect(tempo.burst).toBe(10);
	});

	test('follows what gets through beside the first refusal, also for those that wait already', async () => {
		const tempo = new Tempo(new Halt());
		tempo.refused(1);
		await tempo.turn(1);
		const waiting = duration(tempo.turn(1));
		tempo.answered(20);
		expect(tempo.burst).toBe(10);
		expect(await waiting).toBeLessThanOrEqual(200);
		await jest.advanceTimersByTimeAsync(1000);
		tempo.refused(1);
		tempo.answered(1);
		expect(tempo.burst).toBeLessThan(10);
	});

	test('falls to half of what was asked when nothing got through', () => {
		const tempo = new Tempo(new Halt());
		tempo.refused(100);
		expect(tempo.burst).toBe(25);
	});

	test('spaces the turns by their calls', async () => {
		const tempo = new Tempo(new Halt());
		tempo.answered(20);
		tempo.refused(80);
		expect(await duration(tempo.turn(10))).toBeLessThanOrEqual(10);
		expect(await duration(tempo.turn(5))).toBeCloseTo(500, -2);
		expect(await duration(tempo.turn(1))).toBeCloseTo(250, -2);
	});

	test('falls once for refusals that were under way together', async () => {
		const tempo = new Tempo(new Halt());
		tempo.refused(100);
		tempo.refused(100);
		expect(tempo.burst).toBe(25);
		await jest.advanceTimersByTimeAsync(1000);
		tempo.refused(100);
		expect(tempo.burst).toBe(20);
	});

	test('rises while calls get through, and never sinks to a standstill', async () => {
		const tempo = new Tempo(new Halt());
		for (let second = 0; second < 20; second++) {
			tempo.refused(1);
			await jest.advanceTimersByTimeAsync(1000);
		}
		expect(tempo.burst).toBe(1);
		expect(await duration(tempo.turn(1))).toBeLessThanOrEqual(2000);
		tempo.answered(400);
		expect(tempo.burst).toBeGreaterThanOrEqual(10);
	});

	test('is not changed by a refusal or an answer of no calls', () => {
		const tempo = new Tempo(new Halt());
		tempo.refused(0);
		tempo.answered(0);
		expect(tempo.burst).toBe(Infinity);
	});

	test('is stuck when nothing got through for minutes', async () => {
		const tempo = new Tempo(new Halt());
		await jest.advanceTimersByTimeAsync(120_000);
		expect(tempo.isStuck).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(tempo.isStuck).toBe(true);
		tempo.answered(1);
		expect(tempo.isStuck).toBe(false);
	});

	test('makes nobody wait for a service that is stuck', async () => {
		const tempo = new Tempo(new Halt());
		tempo.refused(1);
		await jest.advanceTimersByTimeAsync(120_001);
		const turns = Promise.all([tempo.turn(1), tempo.turn(1), tempo.turn(1)]);
		expect(await duration(turns)).toBeLessThanOrEqual(10);
	});

	test('gives no turn after a halt, nor during it', async () => {
		const halt = new Halt();
		const tempo = new Tempo(halt);
		tempo.refused(1);
		await tempo.turn(100);
		const waiting = tempo.turn(1);
		const ended = expect(waiting).rejects.toThrow(Halted);
		halt.set();
		await jest.advanceTimersByTimeAsync(200);
		await ended;
		await expect(tempo.turn(1)).rejects.toThrow(Halted);
	});
});
