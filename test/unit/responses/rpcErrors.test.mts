import { isLimit, rpcFailure } from '../../../nodes/core/responses/rpcErrors';

const call = 'eth_call';
const LIMIT = "You've exceeded the RPS limit available on the current plan.";
const reverted =
	'0x08c379a0' +
	'0000000000000000000000000000000000000000000000000000000000000020' +
	'0000000000000000000000000000000000000000000000000000000000000003' +
	'4e6f2e0000000000000000000000000000000000000000000000000000000000';

describe('a JSON-RPC error', () => {
	test('is told in the words of the node, with method, code and details', () => {
		const failure = rpcFailure(call, { code: -32602, message: ' Bad. ', data: { at: 1 } });
		expect(failure).toMatchObject({
			message: 'Bad.',
			description: 'eth_call failed with code -32602. Details: {"at":1}',
			retry: undefined,
			maybeExecuted: false,
		});
	});

	test.each([
		[
			'the reason once',
			{ message: 'execution reverted: No.', data: reverted },
			'execution reverted: No.',
		],
		['the reason', { message: 'execution reverted', data: reverted }, 'execution reverted: No.'],
		[
			'raw data',
			{ message: 'execution reverted', data: '0xe450d38c' },
			'execution reverted: data 0xe450d38c',
		],
		['no data', { message: 'execution reverted', data: '0x' }, 'execution reverted'],
	])('of a revert tells %s', (_, error, message) => {
		expect(rpcFailure(call, { code: 3, ...error }).message).toBe(message);
	});

	test.each([
		['a text', 'Broken.', 'Broken.', 'eth_call failed.'],
		['an empty object', {}, 'The node gave no reason', 'eth_call failed.'],
		[
			'without words',
			{ code: 1, message: ' ' },
			'The node gave no reason',
			'eth_call failed with code 1.',
		],
		[
			'with a message that is none',
			{ message: { a: 1 } },
			'The node gave no reason',
			'eth_call failed.',
		],
		['a number', 5, 'The node gave no reason', 'eth_call failed.'],
		['true', true, 'The node gave no reason', 'eth_call failed.'],
	])('of any other shape is told too: %s', (_, error, message, description) => {
		expect(rpcFailure(call, error)).toMatchObject({ message, description });
	});

	test('details are shortened', () => {
		const { description } = rpcFailure(call, { code: 1, message: 'No.', data: 'x'.repeat(5000) });
		expect(description?.length).toBeLessThan(200);
	});
});

describe('a limit', () => {
	const limit = (data?: unknown, message = LIMIT) => ({ code: -32005, message, data });

	test.each([
		[{ try_again_in: '560.27ms' }, 560.27],
		[{ try_again_in: '1m30s' }, 90_000],
		[{ try_again_in: 'soon' }, undefined],
		[{}, undefined],
		['560ms', undefined],
		[undefined, undefined],
	])('says when to come back: %p', (data, after) => {
		expect(rpcFailure(call, limit(data)).retry).toEqual({ because: 'limit', after });
		expect(isLimit(limit(data))).toBe(true);
	});

	test('of a month is not waited for', () => {
		const quota = limit({ try_again_in: '1s' }, "You've exceeded your monthly quota.");
		expect(rpcFailure(call, quota).retry).toBeUndefined();
		expect(isLimit(quota)).toBe(true);
		expect(isLimit({ ...quota, code: -32000 })).toBe(true);
	});

	test.each([{ code: -32600, message: 'Batches are not supported' }, {}, 'No.', null])(
		'is not %p',
		(error) => {
			expect(isLimit(error)).toBe(false);
			expect(rpcFailure(call, error).retry).toBeUndefined();
		},
	);
});
