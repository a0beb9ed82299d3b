import { RequestFailure, type RetryReason } from '../../../../nodes/core/errors/requestFailure';
import { Stop, Stopped } from '../../../../nodes/core/net/pacing/stop';
import { Pacer } from '../../../../nodes/core/net/pacing/pacer';
import { measureDuration } from '../../support/fakes.mts';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('a paced request', () => {
	const limits = { concurrency: 2, maxRetries: 1 };

	/** Creates a request that fails for each of the reasons in turn, and then succeeds. */
	function failing(...reasons: ReadonlyArray<RetryReason | undefined>) {
		const left = [...reasons];
		return jest.fn(async () => {
			if (left.length === 0) return 'done';
			throw new RequestFailure('No.', { retry: left.shift() });
		});
	}

	async function refuse(retry: RetryReason): Promise<never> {
		throw new RequestFailure('No.', { retry });
	}

	async function paced(
		request: () => Promise<string>,
		once = false,
		countsOnce = false,
	): Promise<unknown> {
		const outcome = new Pacer(limits, new Stop())
			.call(request, once, countsOnce)
			.catch((error) => error as Error);
		await measureDuration(outcome);
		return await outcome;
	}

	test('is repeated after a lost answer as often as the user allows', async () => {
		expect(await paced(failing({ because: 'lost' }))).toBe('done');
		const request = failing({ because: 'lost' }, { because: 'lost' });
		expect(await paced(request)).toBeInstanceOf(RequestFailure);
		expect(request).toHaveBeenCalledTimes(2);
	});

	test('waits for a limit that says when to come back, without using up retries', async () => {
		const limit = { because: 'limit', after: 100 } as const;
		expect(await paced(failing(limit, limit, limit, limit))).toBe('done');
		expect(await paced(failing(limit, limit, { because: 'lost' }))).toBe('done');
	});

	test.each([undefined, { because: 'limit', after: 86_400_000 } as const])(
		'is not repeated when that is no use: %p',
		async (retry) => {
			const request = failing(retry);
			expect(await paced(request)).toBeInstanceOf(RequestFailure);
			expect(request).toHaveBeenCalledTimes(1);
		},
	);

	test.each(['lost', 'limit'] as const)(
		'that spends is not repeated, not after %s either',
		async (because) => {
			const request = failing({ because });
			expect(await paced(request, true)).toBeInstanceOf(RequestFailure);
			expect(request).toHaveBeenCalledTimes(1);
		},
	);

	test('that spends is repeated when a limit turned it away and said when to come back', async () => {
		const limit = { because: 'limit', after: 100 } as const;
		expect(await paced(failing(limit, limit, limit), true)).toBe('done');
		const request = failing(limit, { because: 'lost' });
		expect(await paced(request, true)).toBeInstanceOf(RequestFailure);
		expect(request).toHaveBeenCalledTimes(2);
	});

	test('that counts once is repeated after any limit as often as the user allows, and never after doubt', async () => {
		const limit = { because: 'limit' } as const;
		expect(await paced(failing(limit), true, true)).toBe('done');
		const limited = failing(limit, limit);
		expect(await paced(limited, true, true)).toBeInstanceOf(RequestFailure);
		expect(limited).toHaveBeenCalledTimes(2);
		const lost = failing({ because: 'lost' });
		expect(await paced(lost, true, true)).toBeInstanceOf(RequestFailure);
		expect(lost).toHaveBeenCalledTimes(1);
	});

	test.each([false, true])(
		'that spends is not repeated when its limit came with a status that leaves doubt (counts once: %p)',
		async (countsOnce) => {
			const retry = { because: 'limit', after: 100 } as const;
			const request = jest.fn(async () => {
				throw new RequestFailure('Busy.', { retry, maybeExecuted: true });
			});
			expect(await paced(request, true, countsOnce)).toBeInstanceOf(RequestFailure);
			expect(request).toHaveBeenCalledTimes(1);
		},
	);

	test('is given up when everything is refused for minutes, not when there was silence', async () => {
		const limit = { because: 'limit', after: 30_000 } as const;
		const request = jest.fn(async () => await refuse(limit));
		const failure = (await paced(request)) as RequestFailure;
		expect(failure.description).toMatch(/come back in 30 seconds/);
		expect(request.mock.calls.length).toBeLessThanOrEqual(12);
		let silences = 0;
		const silent = async () => {
			await new Promise((resolve) => setTimeout(resolve, 200_000));
			return silences++ < 1 ? await refuse({ because: 'lost' }) : 'done';
		};
		expect(await paced(silent)).toBe('done');
	});

	test('waits for its turn where a limit has refused others', async () => {
		const pacer = new Pacer({ concurrency: 4, maxRetries: 0 }, new Stop());
		pacer.rateLimit.countAnswered(10);
		pacer.rateLimit.countRefused(1);
		const times: number[] = [];
		const send = async () => {
			times.push(Date.now());
			await new Promise((resolve) => setTimeout(resolve, 1000));
		};
		const all = Promise.all(Array.from({ length: 4 }, () => pacer.call(send, false)));
		await measureDuration(all);
		expect(new Set(times).size).toBeGreaterThan(2);
	});

	test('passes on what is no failure of the request', async () => {
		const outcome = await paced(() => Promise.reject(new Stopped()));
		expect(outcome).toBeInstanceOf(Stopped);
	});
});
