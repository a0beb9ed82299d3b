import { RequestFailure, type Retry } from '../../nodes/core/errors/requestFailure';
import { Stopped } from '../../nodes/core/errors/stopped';
import { Stop } from '../../nodes/core/pacing/stop';
import { Pacer } from '../../nodes/core/pacing/pacer';
import { duration } from './support/fakes.mts';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('a paced request', () => {
	const limits = { concurrency: 2, maxRetries: 1 };

	/** Fails for these reasons, one after the other, then succeeds. */
	function failing(...reasons: ReadonlyArray<Retry | undefined>) {
		const left = [...reasons];
		return jest.fn(async () => {
			if (left.length === 0) return 'done';
			throw new RequestFailure('No.', { retry: left.shift() });
		});
	}

	async function paced(request: () => Promise<string>, once = false): Promise<unknown> {
		const outcome = new Pacer(limits, new Stop())
			.call(request, once)
			.catch((error) => error as Error);
		await duration(outcome);
		return await outcome;
	}

	test('is repeated after a lost answer as often as the user allows', async () => {
		expect(await paced(failing({ because: 'lost' }))).toBe('done');
		const request = failing({ because: 'lost' }, { because: 'cut' });
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

	test.each(['lost', 'cut', 'limit'] as const)(
		'that spends is never repeated, not after %s either',
		async (because) => {
			const request = failing({ because });
			expect(await paced(request, true)).toBeInstanceOf(RequestFailure);
			expect(request).toHaveBeenCalledTimes(1);
		},
	);

	test('passes on what is no failure of the request', async () => {
		const outcome = await paced(async () => await Promise.reject(new Stopped()));
		expect(outcome).toBeInstanceOf(Stopped);
	});
});
