import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import { Stop, Stopped } from '../../../../nodes/core/transport/pacing/stop';
import { callAll, buildResults, buildCalls, getSizes } from '../../support/batching.mts';
import {
	buildResponse,
	buildEcho,
	buildFailure,
	createFakeHttp,
	buildReply,
	buildReplies,
	type SentRequest,
} from '../../support/fakes.mts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a server that takes only small batches', () => {
	const refusing = (most: number, sent: SentRequest) =>
		sent.calls.length > most ? buildResponse(413, '') : buildEcho(sent);

	test('is asked in halves, gets everything, and is remembered', async () => {
		const http = createFakeHttp((sent) => refusing(7, sent));
		expect(await callAll(http, buildCalls(120), { concurrency: 1 })).toEqual(buildResults(120));
		const asked = getSizes(http.sent);
		expect(asked.slice(0, 5)).toEqual([100, 50, 25, 13, 7]);
		expect(Math.max(...asked.slice(4))).toBe(7);
		expect(asked.length).toBe(4 + Math.ceil(120 / 7));
	});

	test('is asked for single calls when it takes no batches', async () => {
		const whole = buildResponse(200, buildFailure(null, { code: -32600, message: 'No batches.' }));
		const http = createFakeHttp((sent) => (sent.isBatch ? whole : buildEcho(sent)));
		expect(await callAll(http, buildCalls(40))).toEqual(buildResults(40));
		expect(http.sent.filter(({ isBatch }) => !isBatch)).toHaveLength(40);
	});

	test('is understood when it closes the connection instead of answering', async () => {
		const cut = new RequestFailure('Cut.', { retry: { because: 'lost' }, maybeExecuted: true });
		const http = createFakeHttp(async (sent) => {
			if (sent.calls.length > 7) throw cut;
			return buildEcho(sent);
		});
		expect(await callAll(http, buildCalls(100), { maxRetries: 1 })).toEqual(buildResults(100));
	});
});

describe('calls that fail', () => {
	test('for a limit come back alone when it says, without using up retries', async () => {
		const limit = { code: -32005, message: 'Slow down.', data: { try_again_in: '300ms' } };
		const seen = new Map<unknown, number>();
		const http = createFakeHttp((sent) =>
			buildReplies(sent, (call) => {
				const [index] = call.params;
				seen.set(index, (seen.get(index) ?? 0) + 1);
				const isRefused = Number(index) >= 90 && Number(seen.get(index)) <= 6;
				return isRefused ? buildFailure(call.id, limit) : buildReply(call);
			}),
		);
		expect(await callAll(http, buildCalls(100), { maxRetries: 0 })).toEqual(buildResults(100));
		expect([seen.get(0), seen.get(89), seen.get(90), seen.get(99)]).toEqual([1, 1, 7, 7]);
	});

	test('for a lost answer are repeated as often as the user allows, then fail', async () => {
		const http = createFakeHttp(() => buildResponse(502, 'Bad gateway'));
		expect(await callAll(http, buildCalls(1), { maxRetries: 2 })).toEqual(['Bad gateway']);
		expect(http.sent).toHaveLength(3);
	});

	test('together come back together, not one by one', async () => {
		const http = createFakeHttp((sent, index) =>
			index < 4 ? buildResponse(502, 'Bad gateway') : buildEcho(sent),
		);
		expect(await callAll(http, buildCalls(400))).toEqual(buildResults(400));
		expect(http.sent.length).toBeLessThanOrEqual(12);
	});

	test('for a reason of their own leave the others alone', async () => {
		const no = { code: 3, message: 'No.' };
		const http = createFakeHttp((sent) =>
			buildReplies(sent, (call) => (call.id === 2 ? buildFailure(2, no) : buildReply(call))),
		);
		expect(await callAll(http, buildCalls(3))).toEqual([[0], 'No.', [2]]);
		expect(http.sent).toHaveLength(1);
	});

	test('are not sent after a stop', async () => {
		const stop = new Stop();
		const http = createFakeHttp((sent) => {
			stop.stop();
			return buildEcho(sent);
		});
		const results = await callAll(http, buildCalls(300), { concurrency: 1, stop });
		expect(results.slice(0, 100)).toEqual(buildResults(100));
		expect(new Set(results.slice(100))).toEqual(new Set([new Stopped().message]));
		expect(http.sent).toHaveLength(1);
	});
});
