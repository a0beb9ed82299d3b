import { sendCalls } from '../../../nodes/core/rpc/exchange';
import {
	answer,
	echo,
	failed,
	fakeHttp,
	outcomes,
	reply,
	retries,
	rpcCall,
	inWords,
	toldOf,
	type SentCall,
} from '../support/fakes.mts';

const UNANSWERED = { again: 'The node left this call of a batch unanswered' };
const IMPROPER = 'The node returned an invalid JSON-RPC response';
const limit = { code: -32005, message: 'Slow down.', data: { try_again_in: '50ms' } };

describe('a batch', () => {
	test('has an envelope for each call, with ids that count from 1', async () => {
		const http = fakeHttp(echo);
		await sendCalls(http, '/evm', [rpcCall(7), { ...rpcCall(8), id: 0 }], { timeout: 1000 });
		expect(http.sent[0]?.request.body).toEqual([
			{ jsonrpc: '2.0', method: 'eth_test', params: [7], id: 1 },
			{ jsonrpc: '2.0', method: 'eth_test', params: [8], id: 2 },
		]);
	});

	test.each<[string, (calls: readonly SentCall[]) => unknown, unknown]>([
		['in order', (calls) => calls.map(reply), [[0], [1], [2]]],
		['shuffled', ([a, b, c]) => [c, a, b].map((call) => call && reply(call)), [[0], [1], [2]]],
		[
			'one missing',
			([a, , c]) => [c, a].map((call) => call && reply(call)),
			[[0], UNANSWERED, [2]],
		],
		['one foreign', (calls) => [...calls.map(reply), { id: 9, result: 'x' }], [[0], [1], [2]]],
		[
			'one twice',
			(calls) => [...calls.map(reply), { id: 2, result: 'x' }],
			[[0], { again: 'The node answered this call 2 times' }, [2]],
		],
		[
			'one with null for its id',
			([a, , c]) => [a && reply(a), failed(null, { message: 'No.' }), c && reply(c)],
			[[0], UNANSWERED, [2]],
		],
		[
			'ids as text',
			(calls) => calls.map((call) => ({ ...reply(call), id: String(call.id) })),
			{ failed: IMPROPER },
		],
		[
			'one an error',
			([a, b, c]) => [a && reply(a), failed(b?.id, { code: 3, message: 'No.' }), c && reply(c)],
			[[0], 'No.', [2]],
		],
		[
			'one without result',
			([, ...others]) => [{ id: 1 }, ...others.map(reply)],
			[IMPROPER, [1], [2]],
		],
		[
			'things that are no replies',
			(calls) => [null, 'x', [], ...calls.map(reply)],
			[[0], [1], [2]],
		],
		['an empty list', () => [], { failed: IMPROPER }],
		['an object', () => ({ result: 5 }), { failed: IMPROPER }],
		['a number', () => '5', { failed: IMPROPER }],
	])('is matched by id: %s', async (_, serve, expected) => {
		expect(await toldOf(serve)).toEqual(expected);
	});

	test.each([
		['an error for the whole', answer(200, failed(null, { code: -32600, message: 'No batches.' }))],
		['a list of that error', answer(200, [failed(null, { code: -32600, message: 'No batches.' })])],
		['400', answer(400, '')],
		['400 with a JSON-RPC error', answer(400, failed(null, { code: -32600, message: 'No.' }))],
		['405', answer(405, '')],
		['413', answer(413, '<html>')],
		['403, unless single calls are refused too', answer(403, 'No batches.')],
		[
			'an error under the id of its first call',
			answer(200, [failed(1, { message: 'batch too large' })]),
		],
		['500 with a JSON-RPC error', answer(500, failed(null, { code: -32600, message: 'No.' }))],
	])('is refused as such by %s', async (_, refusal) => {
		expect(inWords(await outcomes(() => refusal))).toHaveProperty('refused');
	});

	test('that a limit refused whole comes back whole, when the limit says', async () => {
		const found = await outcomes(() => answer(200, failed(null, limit)));
		expect(retries(found)).toEqual(Array(3).fill({ because: 'limit', after: 50 }));
	});

	test('that a limit refused in part comes back in part', async () => {
		const found = await outcomes(([a, ...others]) =>
			answer(200, [a && reply(a), ...others.map(({ id }) => failed(id, limit))]),
		);
		expect(retries(found)).toEqual(['done', ...Array(2).fill({ because: 'limit', after: 50 })]);
	});

	test.each([
		[-32003, 'response too large'],
		[-32002, 'request timed out'],
	])('that geth ended with %p leaves calls to be asked again', async (code, message) => {
		const end = { code, message };
		expect(
			await toldOf(([a, ...others]) => [a && reply(a), ...others.map(({ id }) => failed(id, end))]),
		).toEqual([[0], { again: message }, { again: message }]);
		expect(await toldOf((calls) => calls.map(({ id }) => failed(id, end)))).toEqual({
			refused: IMPROPER,
		});
		const other = { code, message: 'transaction rejected' };
		expect(await toldOf((calls) => calls.map(({ id }) => failed(id, other)))).toEqual(
			Array(3).fill(other.message),
		);
	});

	test('that ended the quota fails at once, whole', async () => {
		const quota = { code: -32005, message: 'Your monthly quota is used up.' };
		const found = await outcomes(() => answer(200, failed(null, quota)));
		expect(retries(found)).toEqual([undefined, undefined, undefined]);
		expect(inWords(found)).toEqual(Array(3).fill(quota.message));
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
			['a JSON-RPC error', failed(null, { code: status, message: 'Too many requests.' })],
		])('and comes back whole, after %s', async (_, body) => {
			const found = await outcomes(() => answer(status, body, headers));
			expect([retries(found)].flat()).toContainEqual(retry);
		});
	});

	test('with status 429 and a limit in its body comes back when that limit says', async () => {
		const found = await outcomes(() => answer(429, failed(null, limit)));
		expect(retries(found)).toEqual(Array(3).fill({ because: 'limit', after: 50 }));
	});

	test.each([
		['words', { error: 'Wrong token.' }],
		['a JSON-RPC error', failed(null, { code: -32001, message: 'Wrong token.' })],
	])('whose credential is refused fails at once, after %s', async (_, body) => {
		for (const status of [401, 403]) {
			const found = await outcomes(() => answer(status, body));
			expect(inWords(found)).toEqual({ [status === 401 ? 'failed' : 'refused']: 'Wrong token.' });
			expect(retries(found)).toBeUndefined();
		}
	});
});
