import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { Stop, Stopped } from '../../../nodes/core/pacing/stop';
import { callAll, expected, many, sizes } from '../support/batching.mts';
import {
	answer,
	echo,
	failed,
	fakeHttp,
	reply,
	served,
	type SentRequest,
} from '../support/fakes.mts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a server that takes only small batches', () => {
	const refusing = (most: number, sent: SentRequest) =>
		sent.calls.length > most ? answer(413, '') : echo(sent);

	test('is asked in halves, gets everything, and is remembered', async () => {
		const http = fakeHttp((sent) => refusing(7, sent));
		expect(await callAll(http, many(120), { concurrency: 1 })).toEqual(expected(120));
		const asked = sizes(http.sent);
		expect(asked.slice(0, 5)).toEqual([100, 50, 25, 13, 7]);
		expect(Math.max(...asked.slice(4))).toBe(7);
		expect(asked.length).toBe(4 + Math.ceil(120 / 7));
	});

	test('is asked for single calls when it takes no batches', async () => {
		const whole = answer(200, failed(null, { code: -32600, message: 'No batches.' }));
		const http = fakeHttp((sent) => (sent.isBatch ? whole : echo(sent)));
		expect(await callAll(http, many(40))).toEqual(expected(40));
		expect(http.sent.filter(({ isBatch }) => !isBatch)).toHaveLength(40);
	});

	test('is understood when it closes the connection instead of answering', async () => {
		const cut = new RequestFailure('Cut.', { retry: { because: 'lost' }, maybeExecuted: true });
		const http = fakeHttp(async (sent) =>
			sent.calls.length > 7 ? await Promise.reject(cut) : echo(sent),
		);
		expect(await callAll(http, many(100), { maxRetries: 1 })).toEqual(expected(100));
	});
});

describe('calls that fail', () => {
	test('for a limit come back alone when it says, without using up retries', async () => {
		const limit = { code: -32005, message: 'Slow down.', data: { try_again_in: '300ms' } };
		const seen = new Map<unknown, number>();
		const http = fakeHttp((sent) =>
			served(sent, (call) => {
				const [index] = call.params;
				seen.set(index, (seen.get(index) ?? 0) + 1);
				const isRefused = Number(index) >= 90 && Number(seen.get(index)) <= 6;
				return isRefused ? failed(call.id, limit) : reply(call);
			}),
		);
		expect(await callAll(http, many(100), { maxRetries: 0 })).toEqual(expected(100));
		expect([seen.get(0), seen.get(89), seen.get(90), seen.get(99)]).toEqual([1, 1, 7, 7]);
	});

	test('for a lost answer are repeated as often as the user allows, then fail', async () => {
		const http = fakeHttp(() => answer(502, 'Bad gateway'));
		expect(await callAll(http, many(1), { maxRetries: 2 })).toEqual(['Bad gateway']);
		expect(http.sent).toHaveLength(3);
	});

	test('together come back together, not one by one', async () => {
		const http = fakeHttp((sent, index) => (index < 4 ? answer(502, 'Bad gateway') : echo(sent)));
		expect(await callAll(http, many(400))).toEqual(expected(400));
		expect(http.sent.length).toBeLessThanOrEqual(12);
	});

	test('for a reason of their own leave the others alone', async () => {
		const no = { code: 3, message: 'No.' };
		const http = fakeHttp((sent) =>
			served(sent, (call) => (call.id === 2 ? failed(2, no) : reply(call))),
		);
		expect(await callAll(http, many(3))).toEqual([[0], 'No.', [2]]);
		expect(http.sent).toHaveLength(1);
	});

	test('are not sent after a stop', async () => {
		const stop = new Stop();
		const http = fakeHttp((sent) => {
			stop.stopNow();
			return echo(sent);
		});
		const results = await callAll(http, many(300), { concurrency: 1, stop });
		expect(results.slice(0, 100)).toEqual(expected(100));
		expect(new Set(results.slice(100))).toEqual(new Set([new Stopped().message]));
		expect(http.sent).toHaveLength(1);
	});
});
