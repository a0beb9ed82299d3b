import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import { Stopped } from '../../../../nodes/core/net/pacing/stop';
import { sendCalls } from '../../../../nodes/core/protocols/rpc/exchange';
import {
	buildResponse,
	buildEcho,
	buildFailure,
	createFakeHttp,
	sendAndGetOutcomes,
	getRetries,
	buildCall,
	THREE_CALLS,
	formatOutcomes,
	getFormattedOutcomes,
} from '../../support/fakes.mts';

const IMPROPER = 'The chain node returned an invalid JSON-RPC response';

describe('a single call', () => {
	test('travels in the documented envelope, alone', async () => {
		const http = createFakeHttp(buildEcho);
		await sendCalls(http, '/evm', [buildCall(7)], { timeout: 1234 });
		const body = { jsonrpc: '2.0', method: 'eth_test', params: [7], id: 1 };
		expect(http.sent[0]?.request).toEqual({ method: 'POST', path: '/evm', body, timeout: 1234 });
	});

	test('has the id it asks for', async () => {
		const http = createFakeHttp(buildEcho);
		const found = await sendCalls(http, '/evm', [{ ...buildCall(7), id: 0 }], { timeout: 1000 });
		expect(http.sent[0]?.calls[0]?.id).toBe(0);
		expect(found).toEqual([{ result: [7] }]);
	});

	test.each([
		['a result', { id: 1, result: 5 }, 5],
		['null', { id: 1, result: null }, null],
		['a result beside an empty error', { id: 1, result: 5, error: null }, 5],
		['neither result nor error', { id: 1 }, IMPROPER],
		['an error', buildFailure(1, { code: -32000, message: 'No.' }), 'No.'],
		['an error without its id', buildFailure(null, { code: -32700, message: 'No.' }), 'No.'],
	])('is answered by %s', async (_, body, expected) => {
		expect(await getFormattedOutcomes(() => body, [buildCall(7)])).toEqual([expected]);
	});

	test.each([
		['another id', { id: 2, result: 5 }, IMPROPER],
		['an error for another id', buildFailure(2, { code: 1, message: 'No.' }), IMPROPER],
		['no id', { result: 5 }, IMPROPER],
		['a list', [{ id: 1, result: 5 }], IMPROPER],
		['an empty list', [], IMPROPER],
		['null alone', 'null', IMPROPER],
		['nothing', '', 'The service returned an invalid response'],
		['HTML', '<html><title>Hi</title></html>', 'The service returned an invalid response'],
	])('has no answer in %s', async (_, body, words) => {
		expect(await getFormattedOutcomes(() => body, [buildCall(7)])).toEqual({ failed: words });
	});

	test('believes an error in the body more than the status around it', async () => {
		const body = buildFailure(1, { code: 3, message: 'execution reverted' });
		const found = await sendAndGetOutcomes(() => buildResponse(400, body), [buildCall(7)]);
		expect(formatOutcomes(found)).toEqual(['execution reverted']);
	});

	test('with status 429 and a limit in its body is repeated when that limit says', async () => {
		const limit = { code: -32005, message: 'Slow down.', data: { try_again_in: '50ms' } };
		const found = await sendAndGetOutcomes(
			() => buildResponse(429, buildFailure(1, limit)),
			[buildCall(7)],
		);
		expect(getRetries(found)).toEqual([{ because: 'limit', after: 50 }]);
	});

	describe.each([
		[429, { 'retry-after': '2' }, { because: 'limit', after: 2000 }],
		[503, { 'retry-after': '2' }, { because: 'limit', after: 2000 }],
		[502, {}, { because: 'lost' }],
		[400, {}, undefined],
	])('with status %p and headers %p is repeated so: %p', (status, headers, retry) => {
		test.each([
			['nothing', ''],
			['words', { error: 'No.' }],
			['a JSON-RPC error', buildFailure(1, { code: -32029, message: 'No.' })],
		])('after %s', async (_, body) => {
			const found = await sendAndGetOutcomes(
				() => buildResponse(status, body, headers),
				[buildCall(7)],
			);
			expect([getRetries(found)].flat()).toEqual([retry]);
		});
	});
});

describe('a request without an answer', () => {
	test('failed as such', async () => {
		const lost = new RequestFailure('Lost.', { retry: { because: 'lost' } });
		const http = createFakeHttp(() => Promise.reject(lost));
		expect(await sendCalls(http, '/evm', THREE_CALLS, { timeout: 1000 })).toEqual({
			requestFailure: lost,
			batchRejected: false,
		});
	});

	test('that was stopped is no outcome at all', async () => {
		const http = createFakeHttp(() => Promise.reject(new Stopped()));
		await expect(sendCalls(http, '/evm', THREE_CALLS, { timeout: 1000 })).rejects.toThrow(Stopped);
	});
});
