import { Stop, Stopped } from '../../../../nodes/core/net/pacing/stop';
import { callAll, buildResults, buildCalls, getSizes } from '../../support/batching.mts';
import {
	buildResponse,
	buildEcho,
	buildFailure,
	createFakeHttp,
	buildCall,
	buildReply,
	buildReplies,
} from '../../support/fakes.mts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('calls of one tick', () => {
	test('travel a hundred together, and a thousand in ten requests', async () => {
		const http = createFakeHttp(buildEcho);
		expect(await callAll(http, buildCalls(1000))).toEqual(buildResults(1000));
		expect(getSizes(http.sent)).toEqual(Array(10).fill(100));
	});

	test('have no more requests under way than the user allows', async () => {
		let underWay = 0;
		let most = 0;
		const http = createFakeHttp(async (sent) => {
			most = Math.max(most, ++underWay);
			await new Promise((resolve) => setTimeout(resolve, 20));
			underWay--;
			return buildEcho(sent);
		});
		await callAll(http, buildCalls(1000));
		expect(most).toBe(4);
	});

	test('travel alone when there is one, or when the user wants no batches', async () => {
		const http = createFakeHttp(buildEcho);
		await callAll(http, buildCalls(1));
		await callAll(http, buildCalls(3), { batchSize: 1 });
		expect(http.sent.map(({ isBatch }) => isBatch)).toEqual([false, false, false, false]);
	});

	test('share a request only with calls of the same path', async () => {
		const http = createFakeHttp(buildEcho);
		const mixed = buildCalls(60, '/evm').flatMap((call) => [
			call,
			{ ...call, path: '/' },
			{ ...call, path: '' },
		]);
		const results = await callAll(http, mixed);
		expect(results).toEqual(mixed.map(({ params }) => params));
		expect(http.sent.map(({ request, calls }) => [request.path, calls.length])).toEqual([
			['/evm', 60],
			['/', 60],
			['', 60],
		]);
	});

	test.each([
		['Latin letters', 'x'],
		['letters of three bytes', '鏈'],
		['letters that JSON escapes', '"'],
	])('stay below a body of 1 MB, with params of %s', async (_, letter) => {
		const http = createFakeHttp(buildEcho);
		const big = buildCalls(40).map((call) => ({ ...call, params: [letter.repeat(50_000)] }));
		const results = await callAll(http, big);
		expect(results).toEqual(big.map(({ params }) => params));
		for (const { request } of http.sent) {
			expect(Buffer.byteLength(JSON.stringify(request.body))).toBeLessThan(1_000_000);
		}
	});

	test('of which one alone is too large are sent all the same', async () => {
		const http = createFakeHttp(buildEcho);
		const [huge, small] = [{ ...buildCall(0), params: ['x'.repeat(2_000_000)] }, buildCall(1)];
		expect(await callAll(http, [huge, small])).toEqual([huge.params, [1]]);
		expect(getSizes(http.sent)).toEqual([1, 1]);
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
