import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import {
	callAll,
	buildResultsExcept,
	buildResults,
	includesCall,
	buildCalls,
	getSizes,
} from '../../support/batching.mts';
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

const TIMED_OUT = new RequestFailure('Too slow.', {
	retry: { because: 'lost' },
	maybeExecuted: true,
});

/** Answers like a server that needs time for each call. The client does not wait longer than its timeout. */
async function slowly(sent: SentRequest, each: number, timeout: number) {
	const time = sent.calls.length * each;
	await new Promise((resolve) => setTimeout(resolve, Math.min(time, timeout)));
	if (time > timeout) throw TIMED_OUT;
	return buildEcho(sent);
}

const REFUSALS = [400, 406, 408, 409, 410, 411, 412, 414, 422, 424, 425, 428, 431];
const FAILURES = [500, 502, 503, 504, 520];

const FAULTS: ReadonlyArray<readonly [string, () => ReturnType<typeof buildResponse>]> = [
	...[...REFUSALS, ...FAILURES].map(
		(status) => [String(status), () => buildResponse(status, 'Failed.')] as const,
	),
	['no JSON', () => buildResponse(200, '<html><title>Failed.</title></html>')],
	['no JSON-RPC', () => buildResponse(200, '{"status":"ok"}')],
	['an empty list', () => buildResponse(200, '[]')],
];

describe('a batch that is lost as a whole', () => {
	test('for its size is asked in halves, and the size that worked is kept', async () => {
		const http = createFakeHttp(async (sent) => await slowly(sent, 50, 1000));
		expect(await callAll(http, buildCalls(100))).toEqual(buildResults(100));
		expect(http.sent.length).toBeLessThanOrEqual(16);
		// The batch is sent whole, once more, and in halves. A second batch of 25 calls shows that the first failed by
		// its size, not by a call.
		expect(getSizes(http.sent).filter((size) => size > 20).length).toBeLessThanOrEqual(5);
	});

	test.each(FAULTS)('for one call, with %s, fails that call alone', async (_, fault) => {
		for (const bad of [0, 57, 99]) {
			const http = createFakeHttp((sent) =>
				includesCall(sent.calls, bad) ? fault() : buildEcho(sent),
			);
			const results = await callAll(http, buildCalls(100));
			expect(results.filter((_result, index) => index !== bad)).toEqual(
				buildResults(100).filter((_result, index) => index !== bad),
			);
			expect(typeof results[bad]).toBe('string');
			expect(http.sent.length).toBeLessThanOrEqual(20);
		}
	});

	test('for one call does not make the batches after it smaller', async () => {
		const http = createFakeHttp((sent) =>
			includesCall(sent.calls, 33) ? buildResponse(504, 'No.') : buildEcho(sent),
		);
		expect(await callAll(http, buildCalls(1000), { concurrency: 1 })).toEqual(
			buildResultsExcept(1000, 'No.', 33),
		);
		// The batch with the bad call is sent twice, and every other batch once.
		expect(getSizes(http.sent).filter((size) => size === 100)).toHaveLength(11);
		expect(http.sent.length).toBeLessThanOrEqual(30);
	});

	test('for several calls fails each of them, and no other', async () => {
		const bad = [3, 40, 41, 77];
		const http = createFakeHttp((sent) =>
			includesCall(sent.calls, ...bad) ? buildResponse(504, 'No.') : buildEcho(sent),
		);
		expect(await callAll(http, buildCalls(100))).toEqual(buildResultsExcept(100, 'No.', ...bad));
		expect(http.sent.length).toBeLessThanOrEqual(60);
	});

	test('once is sent again as it is, when the user allows retries', async () => {
		const http = createFakeHttp((sent, index) =>
			index === 0 ? buildResponse(500, '') : buildEcho(sent),
		);
		expect(await callAll(http, buildCalls(100))).toEqual(buildResults(100));
		expect(getSizes(http.sent)).toEqual([100, 100]);
	});

	test('goes in parts at once when the user allows no retries', async () => {
		const http = createFakeHttp((sent) =>
			sent.calls.length > 50 ? buildResponse(500, '') : buildEcho(sent),
		);
		expect(await callAll(http, buildCalls(100), { maxRetries: 0 })).toEqual(buildResults(100));
		expect(http.sent.length).toBeLessThanOrEqual(4);
		expect(getSizes(http.sent).filter((size) => size > 50)).toHaveLength(1);
	});

	test('by a server that answers nothing at all, costs few requests', async () => {
		const http = createFakeHttp(() => buildResponse(502, 'Gone.'));
		expect(await callAll(http, buildCalls(100))).toEqual(Array(100).fill('Gone.'));
		expect(http.sent.length).toBeLessThanOrEqual(20);
	});

	test('by a server that cannot be reached, costs as many as the user allows', async () => {
		const away = new RequestFailure('Away.', { retry: { because: 'lost' } });
		const http = createFakeHttp(() => Promise.reject(away));
		expect(await callAll(http, buildCalls(100), { maxRetries: 2 })).toEqual(
			Array(100).fill('Away.'),
		);
		expect(http.sent).toHaveLength(3);
	});
});

describe('a batch that is refused', () => {
	test('for its size is asked in halves, and the size that worked is kept', async () => {
		const http = createFakeHttp((sent) =>
			sent.calls.length > 7 ? buildResponse(413, '') : buildEcho(sent),
		);
		expect(await callAll(http, buildCalls(120), { concurrency: 1 })).toEqual(buildResults(120));
		const asked = getSizes(http.sent);
		expect(asked.slice(0, 5)).toEqual([100, 50, 25, 13, 7]);
		expect(Math.max(...asked.slice(4))).toBe(7);
		expect(asked.length).toBe(4 + Math.ceil(120 / 7));
	});

	test.each([403, 405, 415])(
		'with %p, where a single call is answered, becomes single calls',
		async (status) => {
			const http = createFakeHttp((sent) =>
				sent.isBatch ? buildResponse(status, '') : buildEcho(sent),
			);
			expect(await callAll(http, buildCalls(20))).toEqual(buildResults(20));
			expect(getSizes(http.sent).filter((size) => size > 1).length).toBeLessThanOrEqual(2);
			// The calls that were answered one by one are not sent again.
			expect(http.sent.length).toBeLessThanOrEqual(22);
		},
	);

	test('by a server that refuses everything costs few requests', async () => {
		const http = createFakeHttp(() => buildResponse(400, 'Never.'));
		expect(await callAll(http, buildCalls(100))).toEqual(Array(100).fill('Never.'));
		expect(http.sent.length).toBeLessThanOrEqual(25);
	});
});

describe('a batch that is answered in part', () => {
	/** Answers as many calls as fit into the answer. The other calls fail with an error like that of geth. */
	const until = (most: number, code: number, message: string) => (sent: SentRequest) =>
		buildResponse(
			200,
			sent.calls.map((call, index) =>
				index < most ? buildReply(call) : buildFailure(call.id, { code, message }),
			),
		);

	test.each([
		[-32003, 'response too large'],
		[-32002, 'request timed out'],
	])('because of %p is asked for the rest in smaller ones', async (code, message) => {
		const serve = until(30, code, message);
		const http = createFakeHttp((sent) => (sent.isBatch ? serve(sent) : buildEcho(sent)));
		expect(await callAll(http, buildCalls(400))).toEqual(buildResults(400));
		// Four batches are sent at the same time and are cut off. All later batches fit.
		expect(getSizes(http.sent).filter((size) => size > 30).length).toBeLessThanOrEqual(4);
		expect(http.sent.length).toBeLessThanOrEqual(20);
	});

	test('fails the call that is too large even alone', async () => {
		const tooLarge = { code: -32003, message: 'response too large' };
		const http = createFakeHttp((sent) =>
			buildReplies(sent, (call) =>
				call.params[0] === 2 ? buildFailure(call.id, tooLarge) : buildReply(call),
			),
		);
		expect(await callAll(http, buildCalls(10))).toEqual(
			buildResultsExcept(10, 'response too large', 2),
		);
		expect(http.sent.length).toBeLessThanOrEqual(3);
	});

	test('is asked again for what was left out or answered twice', async () => {
		const http = createFakeHttp((sent) => {
			if (!sent.isBatch) return buildEcho(sent);
			const [, ...others] = sent.calls.map(buildReply);
			return buildResponse(200, [...others, others[0]]);
		});
		expect(await callAll(http, buildCalls(10))).toEqual(buildResults(10));
		expect(http.sent.length).toBeLessThanOrEqual(6);
	});

	test('by a server that answers only the first of each batch, gets there', async () => {
		const http = createFakeHttp((sent) =>
			sent.isBatch ? buildResponse(200, sent.calls.slice(0, 1).map(buildReply)) : buildEcho(sent),
		);
		expect(await callAll(http, buildCalls(100))).toEqual(buildResults(100));
		expect(http.sent.length).toBeLessThanOrEqual(110);
	});
});
