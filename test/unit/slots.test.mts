import { Halted } from '../../nodes/core/failure';
import { Halt } from '../../nodes/core/halt';
import { Slots } from '../../nodes/core/slots';

const turn = async (ms = 0) => await new Promise((resolve) => setTimeout(resolve, ms));

describe('a halt', () => {
	test('is off until something failed', () => {
		const halt = new Halt();
		expect(() => halt.check()).not.toThrow();
		halt.set();
		expect([halt.isOn, halt.isCancelled]).toEqual([true, false]);
		expect(() => halt.check()).toThrow(Halted);
	});

	test('is on when the execution is stopped', () => {
		const stop = new AbortController();
		const halt = new Halt(stop.signal);
		expect(halt.isOn).toBe(false);
		stop.abort();
		expect([halt.isOn, halt.isCancelled]).toEqual([true, true]);
		expect(() => halt.check()).toThrow('The execution was canceled');
	});

	test('lets a pause last as long as it was asked to', async () => {
		const begun = Date.now();
		await new Halt().pause(150);
		expect(Date.now() - begun).toBeGreaterThanOrEqual(149);
	});

	test.each([0, -5])(
		'lets a pause of %p ms pass at once, unless it is on',
		async (milliseconds) => {
			const halt = new Halt();
			await expect(halt.pause(milliseconds)).resolves.toBeUndefined();
			halt.set();
			await expect(halt.pause(milliseconds)).rejects.toThrow(Halted);
		},
	);

	test('ends a long pause early', async () => {
		const stop = new AbortController();
		const begun = Date.now();
		const pause = new Halt(stop.signal).pause(60_000);
		setTimeout(() => stop.abort(), 20);
		await expect(pause).rejects.toThrow(Halted);
		expect(Date.now() - begun).toBeLessThan(1000);
	});
});

describe('slots', () => {
	test('let no more than so many jobs run at once, begin them in order, and run them all', async () => {
		const slots = new Slots(3, new Halt());
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
			indices.map(async (index) => await slots.use(async () => await job(index))),
		);
		expect(results).toEqual(indices);
		expect(begun).toEqual(indices);
		expect(most).toBe(3);
	});

	test('are left by a job that fails', async () => {
		const slots = new Slots(1, new Halt());
		const failing = async () => await Promise.reject(new Error('No.'));
		await expect(slots.use(failing)).rejects.toThrow('No.');
		await expect(slots.use(async () => 'done')).resolves.toBe('done');
	});

	test('begin no job after a halt, not even one that waited', async () => {
		const halt = new Halt();
		const slots = new Slots(1, halt);
		const waiting = jest.fn(async () => 'late');
		const first = slots.use(async () => {
			halt.set();
			return 'first';
		});
		const second = slots.use(waiting);
		await expect(first).resolves.toBe('first');
		await expect(second).rejects.toThrow(Halted);
		expect(waiting).not.toHaveBeenCalled();
	});

	test('give a failure time to stop the next job', async () => {
		const halt = new Halt();
		const slots = new Slots(1, halt);
		const next = jest.fn(async () => 'next');
		const failing = slots.use(async () => await Promise.reject(new Error('No.')));
		const stopped = failing.catch(async () => {
			for (let step = 0; step < 20; step++) await Promise.resolve();
			halt.set();
		});
		const second = slots.use(next);
		await stopped;
		await expect(second).rejects.toThrow(Halted);
		expect(next).not.toHaveBeenCalled();
	});
});
