import { WaitRounds } from '../../../../nodes/core/net/pacing/waitRounds';
import { Stop } from '../../../../nodes/core/net/pacing/stop';

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

/** Returns the times when the given number of items may continue, in milliseconds from the beginning. */
async function times(size: number, items: number, wait = 0, calls = 1): Promise<number[]> {
	const rounds = new WaitRounds(size, new Stop());
	const began = Date.now();
	const came: number[] = [];
	for (let item = 0; item < items; item++) {
		void rounds.wait(wait, calls).then(() => came.push(Date.now() - began));
	}
	await jest.advanceTimersByTimeAsync(60_000);
	return came;
}

test('items that fit into one request go together, at once', async () => {
	expect(await times(100, 100)).toEqual(Array(100).fill(0));
});

test('the others follow a second apart', async () => {
	expect(await times(3, 8)).toEqual([0, 0, 0, 1000, 1000, 1000, 2000, 2000]);
	expect(await times(3, 3, 0, 2)).toEqual([0, 1000, 2000]);
	expect(await times(1, 3, 1000)).toEqual([1000, 2000, 3000]);
});

test('a step of more calls than fit into one request goes alone', async () => {
	expect(await times(2, 2, 0, 5)).toEqual([0, 1000]);
});

test('items that began at different times meet', async () => {
	const rounds = new WaitRounds(100, new Stop());
	const came: number[][] = [[], []];
	const poll = async (item: number, start: number) => {
		await new Promise((resolve) => setTimeout(resolve, start));
		for (let time = 0; time < 4; time++) {
			await rounds.wait(1000, 1);
			came[item]?.push(Date.now());
		}
	};
	void poll(0, 0);
	void poll(1, 300);
	await jest.advanceTimersByTimeAsync(10_000);
	expect(came[0]).toEqual([1000, 2000, 3000, 4000]);
	expect(came[1]).toEqual(came[0]);
});

test('there is never a second round within a second, and nobody is forgotten', async () => {
	const rounds = new WaitRounds(10, new Stop());
	const came: number[] = [];
	const poll = async (start: number) => {
		await new Promise((resolve) => setTimeout(resolve, start));
		for (let time = 0; time < 5; time++) {
			await rounds.wait(1000, 1);
			came.push(Date.now());
		}
	};
	for (let item = 0; item < 45; item++) void poll(item * 37);
	await jest.advanceTimersByTimeAsync(120_000);
	const distinct = [...new Set(came)].sort((a, b) => a - b);
	const gaps = distinct.slice(1).map((at, index) => at - (distinct[index] ?? 0));
	expect(came).toHaveLength(45 * 5);
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
	expect(Math.max(...distinct.map((at) => came.filter((one) => one === at).length))).toBe(10);
});

test('whoever waits finds out at once that the run was stopped', async () => {
	const stop = new Stop();
	const rounds = new WaitRounds(1, stop);
	const waiting = [rounds.wait(0, 1), rounds.wait(0, 1), rounds.wait(5000, 1)];
	const settled = Promise.allSettled(waiting);
	await jest.advanceTimersByTimeAsync(1);
	stop.stop();
	await jest.advanceTimersByTimeAsync(0);
	expect((await settled).map(({ status }) => status)).toEqual([
		'fulfilled',
		'rejected',
		'rejected',
	]);
});
