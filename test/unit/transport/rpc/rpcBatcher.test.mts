import { callAll, buildResults, buildCalls, getSizes } from '../../support/batching.mts';
import { buildEcho, createFakeHttp, buildCall } from '../../support/fakes.mts';

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
