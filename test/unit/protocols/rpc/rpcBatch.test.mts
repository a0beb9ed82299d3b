import { sendCalls } from '../../../../nodes/core/protocols/rpc/exchange';
import {
	buildResponse,
	buildEcho,
	buildFailure,
	createFakeHttp,
	sendAndGetOutcomes,
	buildReply,
	getRetries,
	buildCall,
	formatOutcomes,
	getFormattedOutcomes,
	type SentCall,
} from '../../support/fakes.mts';

const UNANSWERED = { again: 'The chain node left this call of a batch unanswered' };
const IMPROPER = 'The chain node returned an invalid JSON-RPC response';
const limit = { code: -32005, message: 'Slow down.', data: { try_again_in: '50ms' } };

describe('a batch', () => {
	test('has an envelope for each call, with ids that count from 1', async () => {
		const http = createFakeHttp(buildEcho);
		await sendCalls(http, '/evm', [buildCall(7), { ...buildCall(8), id: 0 }], { timeout: 1000 });
		expect(http.sent[0]?.request.body).toEqual([
			{ jsonrpc: '2.0', method: 'eth_test', params: [7], id: 1 },
			{ jsonrpc: '2.0', method: 'eth_test', params: [8], id: 2 },
		]);
	});

	test.each<[string, (calls: readonly SentCall[]) => unknown, unknown]>([
		['in order', (calls) => calls.map(buildReply), [[0], [1], [2]]],
		['shuffled', ([a, b, c]) => [c, a, b].map((call) => call && buildReply(call)), [[0], [1], [2]]],
		[
			'one missing',
			([a, , c]) => [c, a].map((call) => call && buildReply(call)),
			[[0], UNANSWERED, [2]],
		],
		['one foreign', (calls) => [...calls.map(buildReply), { id: 9, result: 'x' }], [[0], [1], [2]]],
		[
			'one twice',
			(calls) => [...calls.map(buildReply), { id: 2, result: 'x' }],
			[[0], { again: 'The chain node answered this call 2 times' }, [2]],
		],
		[
			'one with null for its id',
			([a, , c]) => [
				a && buildReply(a),
				buildFailure(null, { message: 'No.' }),
				c && buildReply(c),
			],
			[[0], UNANSWERED, [2]],
		],
		[
			'ids as text',
			(calls) => calls.map((call) => ({ ...buildReply(call), id: String(call.id) })),
			{ failed: IMPROPER },
		],
		[
			'one an error',
			([a, b, c]) => [
				a && buildReply(a),
				buildFailure(b?.id, { code: 3, message: 'No.' }),
				c && buildReply(c),
			],
			[[0], 'No.', [2]],
		],
		[
			'one without result',
			([, ...others]) => [{ id: 1 }, ...others.map(buildReply)],
			[IMPROPER, [1], [2]],
		],
		[
			'things that are no replies',
			(calls) => [null, 'x', [], ...calls.map(buildReply)],
			[[0], [1], [2]],
		],
		['an empty list', () => [], { failed: IMPROPER }],
		['an object', () => ({ result: 5 }), { failed: IMPROPER }],
		['a number', () => '5', { failed: IMPROPER }],
	])('is matched by id: %s', async (_, serve, expected) => {
		expect(await getFormattedOutcomes(serve)).toEqual(expected);
	});

	test.each([
		[
			'an error for the whole',
			buildResponse(200, buildFailure(null, { code: -32600, message: 'No batches.' })),
		],
		[
			'a list of that error',
			buildResponse(200, [buildFailure(null, { code: -32600, message: 'No batches.' })]),
		],
		['400', buildResponse(400, '')],
		[
			'400 with a JSON-RPC error',
			buildResponse(400, buildFailure(null, { code: -32600, message: 'No.' })),
		],
		['405', buildResponse(405, '')],
		['413', buildResponse(413, '<html>')],
		['403, unless single calls are refused too', buildResponse(403, 'No batches.')],
		[
			'an error under the id of its first call',
			buildResponse(200, [buildFailure(1, { message: 'batch too large' })]),
		],
		[
			'500 with a JSON-RPC error',
			buildResponse(500, buildFailure(null, { code: -32600, message: 'No.' })),
		],
	])('is refused as such by %s', async (_, refusal) => {
		expect(formatOutcomes(await sendAndGetOutcomes(() => refusal))).toHaveProperty('refused');
	});

	test('that a limit refused whole comes back whole, when the limit says', async () => {
		const found = await sendAndGetOutcomes(() => buildResponse(200, buildFailure(null, limit)));
		expect(getRetries(found)).toEqual(Array(3).fill({ because: 'limit', after: 50 }));
	});

	test('that a limit refused in part comes back in part', async () => {
		const found = await sendAndGetOutcomes(([a, ...others]) =>
			buildResponse(200, [a && buildReply(a), ...others.map(({ id }) => buildFailure(id, limit))]),
		);
		expect(getRetries(found)).toEqual(['done', ...Array(2).fill({ because: 'limit', after: 50 })]);
	});

	test.each([
		[-32003, 'response too large'],
		[-32002, 'request timed out'],
	])('that geth ended with %p leaves calls to be asked again', async (code, message) => {
		const end = { code, message };
		expect(
			await getFormattedOutcomes(([a, ...others]) => [
				a && buildReply(a),
				...others.map(({ id }) => buildFailure(id, end)),
			]),
		).toEqual([[0], { again: message }, { again: message }]);
		expect(
			await getFormattedOutcomes((calls) => calls.map(({ id }) => buildFailure(id, end))),
		).toEqual({
			refused: IMPROPER,
		});
		const other = { code, message: 'transaction rejected' };
		expect(
			await getFormattedOutcomes((calls) => calls.map(({ id }) => buildFailure(id, other))),
		).toEqual(Array(3).fill(other.message));
	});

	test('that ended the quota fails at once, whole', async () => {
		const quota = { code: -32005, message: 'Your monthly quota is used up.' };
		const found = await sendAndGetOutcomes(() => buildResponse(200, buildFailure(null, quota)));
		expect(getRetries(found)).toEqual([undefined, undefined, undefined]);
		expect(formatOutcomes(found)).toEqual(Array(3).fill(quota.message));
	});

	describe.each([
		[429, { 'retry-after': '2' }, { because: 'limit', after: 2000 }],
		[429, {}, { because: 'limit' }],
		[503, { 'retry-after': '2' }, { because: 'limit', after: 2000 }],
		[503, {}, { because: 'lost' }],
	])('with status %p and headers %p is no batch too large', (status, headers, retry) => {
		test.each([
			['nothing', ''],
			['words', { error: 'Too many requests.' }],
			['a JSON-RPC error', buildFailure(null, { code: status, message: 'Too many requests.' })],
		])('and comes back whole, after %s', async (_, body) => {
			const found = await sendAndGetOutcomes(() => buildResponse(status, body, headers));
			expect([getRetries(found)].flat()).toContainEqual(retry);
		});
	});

	test('with status 429 and a limit in its body comes back when that limit says', async () => {
		const found = await sendAndGetOutcomes(() => buildResponse(429, buildFailure(null, limit)));
		expect(getRetries(found)).toEqual(Array(3).fill({ because: 'limit', after: 50 }));
	});

	test.each([
		['words', { error: 'Wrong token.' }],
		['a JSON-RPC error', buildFailure(null, { code: -32001, message: 'Wrong token.' })],
	])('whose credential is refused fails at once, after %s', async (_, body) => {
		for (const status of [401, 403]) {
			const found = await sendAndGetOutcomes(() => buildResponse(status, body));
			expect(formatOutcomes(found)).toEqual({
				[status === 401 ? 'failed' : 'refused']: 'Wrong token.',
			});
			expect(getRetries(found)).toBeUndefined();
		}
	});
});
