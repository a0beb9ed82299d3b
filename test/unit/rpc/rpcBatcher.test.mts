import { callAll, expected, many, sizes } from '../support/batching.mts';
import { echo, fakeHttp, rpcCall } from '../support/fakes.mts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('calls of one tick', () => {
	test('travel a hundred together, and a thousand in ten requests', async () => {
		const http = fakeHttp(echo);
		expect(await callAll(http, many(1000))).toEqual(expected(1000));
		expect(sizes(http.sent)).toEqual(Array(10).fill(100));
	});

	test('have no more requests under way than the user allows', async () => {
		let underWay = 0;
		let most = 0;
		const http = fakeHttp(async (sent) => {
			most = Math.max(most, ++underWay);
			await new Promise((resolve) => setTimeout(resolve, 20));
			underWay--;
			return echo(sent);
		});
		await callAll(http, many(1000));
		expect(most).toBe(4);
	});

	test('travel alone when there is one, or when the user wants no batches', async () => {
		const http = fakeHttp(echo);
		await callAll(http, many(1));
		await callAll(http, many(3), { batchSize: 1 });
		expect(http.sent.map(({ isBatch }) => isBatch)).toEqual([false, false, false, false]);
	});

	test('share a request only with calls of the same path', async () => {
		const http = fakeHttp(echo);
		const mixed = many(60, '/evm').flatMap((call) => [
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
		const http = fakeHttp(echo);
		const big = many(40).map((call) => ({ ...call, params: [letter.repeat(50_000)] }));
		const results = await callAll(http, big);
		expect(results).toEqual(big.map(({ params }) => params));
		for (const { request } of http.sent) {
			expect(Buffer.byteLength(JSON.stringify(request.body))).toBeLessThan(1_000_000);
		}
	});

	test('of which one alone is too large are sent all the same', async () => {
		const http = fakeHttp(echo);
		const [huge, small] = [{ ...rpcCall(0), params: ['x'.repeat(2_000_000)] }, rpcCall(1)];
		expect(await callAll(http, [huge, small])).toEqual([huge.params, [1]]);
		expect(sizes(http.sent)).toEqual([1, 1]);
	});
});
