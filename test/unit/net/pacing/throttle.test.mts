import { Stop, Stopped } from '../../../../nodes/core/net/pacing/stop';
import { Throttle } from '../../../../nodes/core/net/pacing/throttle';
import { maxCallsPerSecond } from '../../../../nodes/core/operation/transportOptions';
import { parseField } from '../../../../nodes/core/values/parse';
import { callAll, buildResults, buildCalls, getSizes } from '../../support/batching.mts';
import { takeRows } from '../../../harness/caseCount.mts';
import {
	buildResponse,
	measureDuration,
	buildEcho,
	buildFailure,
	createFakeHttp,
	buildReply,
	buildReplies,
	type SentRequest,
} from '../../support/fakes.mts';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

/** The way in which a service limits its rate: it tells whether it accepts a number of calls at a time. */
type Admit = (calls: number, at: number) => boolean;

function bucket(rate: number): Admit {
	let tokens = rate;
	let last = 0;
	return (calls, at) => {
		tokens = Math.min(rate, tokens + ((at - last) / 1000) * rate);
		last = at;
		const isIn = calls <= tokens + 1e-9;
		if (isIn) tokens -= calls;
		return isIn;
	};
}

function slidingWindow(rate: number): Admit {
	const seen: Array<readonly [number, number]> = [];
	return (calls, at) => {
		const recent = seen.filter(([then]) => at - then < 1000);
		const isIn = recent.reduce((sum, [, count]) => sum + count, calls) <= rate;
		if (isIn) seen.push([at, calls]);
		return isIn;
	};
}

const fixedWindow =
	(offset: number) =>
	(rate: number): Admit => {
		const counts = new Map<number, number>();
		return (calls, at) => {
			const second = Math.floor((at + offset) / 1000);
			const count = (counts.get(second) ?? 0) + calls;
			if (count <= rate) counts.set(second, count);
			return count <= rate;
		};
	};

const WINDOWS: ReadonlyArray<readonly [string, (rate: number) => Admit]> = [
	['a bucket of tokens', bucket],
	['a sliding second', slidingWindow],
	...[0, 130, 500, 990].map(
		(offset) => [`seconds that begin ${offset} ms later`, fixedWindow(offset)] as const,
	),
];

const later = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Creates a server with a rate limit. The function `away` gives the travel time of each request and of its answer,
 * in milliseconds.
 */
function countingServer(admit: Admit, away: (request: number) => readonly [number, number]) {
	const begun = performance.now();
	let refused = 0;
	const http = createFakeHttp(async (sent, index) => {
		const [there, back] = away(index);
		await later(there);
		const isIn = admit(sent.calls.length, performance.now() - begun);
		if (!isIn) refused += sent.calls.length;
		await later(back);
		return isIn ? buildEcho(sent) : buildResponse(429, '', { 'retry-after': '1' });
	});
	return { http, refused: () => refused };
}

const near = () => [5, 5] as const;
/** Every third request takes long, because it opens a new connection. */
const uneven = (request: number) => [request % 3 === 0 ? 60 : 2, (request * 7) % 15] as const;
const far = (request: number) => [180 + ((request * 31) % 60), 200] as const;

describe.each(takeRows(WINDOWS, 2))('a service that counts with %s', (_, windowOf) => {
	test.each([
		['near', near],
		['at uneven distances', uneven],
		['far', far],
	])('refuses none of 300 reads at 25 a second, %s', async (_distance, away) => {
		const { http, refused } = countingServer(windowOf(25), away);
		const run = callAll(http, buildCalls(300), { maxCallsPerSecond: 25 });
		const took = await measureDuration(run);
		expect(await run).toEqual(buildResults(300));
		expect(refused()).toBe(0);
		expect(Math.max(...getSizes(http.sent))).toBe(25);
		const [there, back] = away(0);
		// The first 25 calls are sent at once, and the other 275 calls take eleven seconds.
		expect(took).toBeLessThanOrEqual(11_000 * 1.1 + there + back);
	});

	test.each([1, 2, 7, 600])('refuses none at %i a second, sent one by one', async (rate) => {
		const { http, refused } = countingServer(windowOf(rate), uneven);
		const count = rate * 3;
		const run = callAll(http, buildCalls(count), {
			maxCallsPerSecond: rate,
			batchSize: 1,
			concurrency: 100,
		});
		expect(await measureDuration(run)).toBeGreaterThanOrEqual(2000);
		expect(await run).toEqual(buildResults(count));
		expect(refused()).toBe(0);
	});
});

describe('calls with a limit per second', () => {
	const sendingTimes = async (rate: number, requests: readonly number[]) => {
		const throttle = new Throttle(rate, new Stop());
		const begun = performance.now();
		const send = async () => {
			const at = performance.now() - begun;
			await later(1);
			return at;
		};
		const all = Promise.all(requests.map(async (calls) => await throttle.run(calls, send)));
		await measureDuration(all);
		return await all;
	};

	test('are not held back without a limit', async () => {
		expect(Math.max(...(await sendingTimes(0, Array<number>(1000).fill(100))))).toBe(0);
	});

	test('are sent in the order in which they were asked for, large ones as well', async () => {
		const times = await sendingTimes(4, [3, 3, 1, 1, 1, 1, 1, 1]);
		expect(times).toEqual([...times].sort((a, b) => a - b));
	});

	test('are one every two seconds at 0.5', async () => {
		const [first = 0, second = 0, third = 0] = await sendingTimes(0.5, [1, 1, 1]);
		for (const gap of [second - first, third - second]) {
			expect(gap).toBeGreaterThanOrEqual(2000);
			expect(gap).toBeLessThanOrEqual(2100);
		}
	});

	test('are never more than a whole number of them', async () => {
		const times = await sendingTimes(2.9, Array<number>(6).fill(1));
		expect(times.filter((at) => at < 1000)).toHaveLength(2);
	});

	test('do not come all at the beginning of a second', async () => {
		const times = await sendingTimes(100, Array<number>(100).fill(1));
		expect(times.filter((at) => at <= 250).length).toBeLessThanOrEqual(80);
		expect(Math.max(...times)).toBeLessThanOrEqual(600);
	});

	test('in one request that is larger than that still go, alone', async () => {
		const [first = 0, second = 0] = await sendingTimes(5, [12, 1]);
		expect(first).toBe(0);
		expect(second).toBeGreaterThanOrEqual(1000);
	});

	test('go on after one that failed', async () => {
		const throttle = new Throttle(1, new Stop());
		await expect(throttle.run(1, () => Promise.reject(new Error('No.')))).rejects.toThrow('No.');
		const next = throttle.run(1, async () => await Promise.resolve('done'));
		expect(await measureDuration(next)).toBeLessThanOrEqual(1100);
		expect(await next).toBe('done');
	});

	test('are not sent after a stop', async () => {
		const stop = new Stop();
		const throttle = new Throttle(1, stop);
		await throttle.run(1, async () => await Promise.resolve());
		const send = jest.fn();
		const waiting = [throttle.run(1, send), throttle.run(1, send)];
		const ended = Promise.all(
			waiting.map(async (one) => await expect(one).rejects.toThrow(Stopped)),
		);
		await jest.advanceTimersByTimeAsync(100);
		stop.stop();
		await ended;
		expect(send).not.toHaveBeenCalled();
	});

	test('count again when they are sent again', async () => {
		const lost = (sent: SentRequest, index: number) =>
			index === 0 ? buildResponse(502, '') : buildEcho(sent);
		const http = createFakeHttp(lost);
		const run = callAll(http, buildCalls(10), { maxCallsPerSecond: 10 });
		expect(await measureDuration(run)).toBeGreaterThanOrEqual(1000);
		expect(getSizes(http.sent)).toEqual([10, 10]);
	});

	test('are fewer still when the service says so', async () => {
		const refusedAt = async (maxCallsPerSecond: number) => {
			const { serve, refused } = limitOf10();
			expect(await callAll(createFakeHttp(serve), buildCalls(300), { maxCallsPerSecond })).toEqual(
				buildResults(300),
			);
			return refused();
		};
		expect(await refusedAt(25)).toBeLessThanOrEqual(await refusedAt(0));
		expect(await refusedAt(10)).toBe(0);
	});

	/** Creates a server that accepts or refuses each call of a batch separately, with a limit of 10 calls a second. */
	function limitOf10() {
		const limit = { code: -32005, message: 'Slow down.', data: { try_again_in: '200ms' } };
		const admit = bucket(10);
		let refused = 0;
		const serve = (sent: SentRequest) =>
			buildReplies(sent, (call) => {
				if (admit(1, performance.now())) return buildReply(call);
				refused++;
				return buildFailure(call.id, limit);
			});
		return { serve, refused: () => refused };
	}
});

describe('the option', () => {
	const read = (given: unknown) =>
		parseField('Options > Max Calls per Second', given, maxCallsPerSecond.parse);

	test.each([
		[0, 0],
		[25, 25],
		['25', 25],
		[0.5, 0.5],
		['2.5', 2.5],
	])('takes %p', (given, rate) => {
		expect(read(given)).toBe(rate);
	});

	test.each([
		[-1, 'must be 0 or a number from 0.01 to 10000; got -1'],
		[1e-9, 'must be 0 or a number from 0.01 to 10000; got 1e-9'],
		[1e9, 'must be 0 or a number from 0.01 to 10000; got 1000000000'],
		['25 a second', 'must be a number; got "25 a second"'],
		['', 'must be a number; it is empty'],
		[[25], 'must be a number; got [25]'],
		[true, 'must be a number; got true'],
	])('refuses %p', (given, words) => {
		expect(() => read(given)).toThrow(`'Options > Max Calls per Second' ${words}`);
	});
});
