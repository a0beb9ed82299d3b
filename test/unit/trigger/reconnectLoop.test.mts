import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { runReconnectLoop, DEFAULT_TIMING } from '../../../nodes/core/trigger/reconnect';

/** The tests use the same pauses as a real run, and move jest's fake clock. */
beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DOWN = new RequestFailure('No sockets at the moment.');

/** Creates a node that is up or down, and a trigger that listens to it. */
function scene() {
	const closing = new AbortController();
	const attempts: number[] = [];
	const report = jest.fn();
	const cuts: Array<() => void> = [];
	let isUp = true;

	const open = async () => {
		attempts.push(Date.now());
		if (!isUp) throw DOWN;
		return {};
	};
	const listen = async function* () {
		yield { kind: 'caughtUp' };
		await new Promise<never>((_resolve, reject) => cuts.push(() => reject(DOWN)));
	};
	const source = { timing: DEFAULT_TIMING, open, listen, report };
	const listening = runReconnectLoop(source, undefined, closing.signal);
	return {
		attempts,
		report,
		down: () => {
			isUp = false;
			for (const cut of cuts.splice(0)) cut();
		},
		up: () => (isUp = true),
		isFollowing: () => cuts.length > 0,
		close: async () => {
			closing.abort();
			for (const cut of cuts.splice(0)) cut();
			await listening;
		},
	};
}

const pass = async (milliseconds: number) => await jest.advanceTimersByTimeAsync(milliseconds);
const pauses = (times: readonly number[]) =>
	times.slice(1).map((time, at) => time - (times[at] ?? 0));

test('an outage of a minute is reported once, and over within 15 s after the chain node is back', async () => {
	const { report, down, up, isFollowing, close } = scene();
	await pass(MINUTE);
	down();
	await pass(25 * SECOND);
	expect(report).not.toHaveBeenCalled();
	await pass(35 * SECOND);
	expect(report.mock.calls).toEqual([[DOWN]]);
	expect(isFollowing()).toBe(false);
	up();
	await pass(15 * SECOND);
	expect(isFollowing()).toBe(true);
	await pass(MINUTE);
	expect(report).toHaveBeenCalledTimes(1);
	await close();
});

test('each outage is reported', async () => {
	const { report, down, up, close } = scene();
	for (let count = 1; count <= 3; count++) {
		await pass(MINUTE);
		down();
		await pass(MINUTE);
		up();
		await pass(MINUTE);
		expect(report).toHaveBeenCalledTimes(count);
	}
	await close();
});

test('a node that is down is asked ever more rarely, four times a minute at least', async () => {
	const { attempts, down, close } = scene();
	await pass(SECOND);
	down();
	await pass(10 * MINUTE);
	for (const [at, pause] of pauses(attempts.slice(1)).entries()) {
		const most = ([2, 4, 8][at] ?? 15) * SECOND;
		expect(pause).toBeGreaterThanOrEqual(most / 2);
		expect(pause).toBeLessThanOrEqual(most + 1);
	}
	expect(attempts.length).toBeGreaterThan(40);
	await close();
});

test('a node that is cut off after hours is asked at once', async () => {
	const { attempts, down, up, isFollowing, close } = scene();
	await pass(5 * 60 * MINUTE);
	down();
	up();
	await pass(SECOND / 2);
	expect(attempts).toHaveLength(2);
	expect(isFollowing()).toBe(true);
	await close();
});

test('nothing is tried, or reported, after the end', async () => {
	const { attempts, report, down, close } = scene();
	await pass(MINUTE);
	down();
	await pass(10 * SECOND);
	const { length } = attempts;
	await close();
	await pass(MINUTE);
	expect(attempts).toHaveLength(length);
	expect(report).not.toHaveBeenCalled();
});
