import fc from 'fast-check';
import {
	isLimit,
	isLimitNamed,
	parseDuration,
	rpcError,
} from '../../../../nodes/core/net/responses/rpcErrors';
import { getSeed } from '../../../harness/caseCount.mts';

const call = 'eth_call';
const LIMIT = "You've exceeded the RPS limit available on the current plan.";
const reverted =
	'0x08c379a0' +
	'0000000000000000000000000000000000000000000000000000000000000020' +
	'0000000000000000000000000000000000000000000000000000000000000003' +
	'4e6f2e0000000000000000000000000000000000000000000000000000000000';

describe('a JSON-RPC error', () => {
	test('is reported in the words of the node, with method, code and details', () => {
		const failure = rpcError(call, { code: -32602, message: ' Bad. ', data: { at: 1 } });
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
	])('of a revert reports %s', (_, error, message) => {
		expect(rpcError(call, { code: 3, ...error }).message).toBe(message);
	});

	test.each([
		['a text', 'Broken.', 'Broken.', 'eth_call failed.'],
		['an empty object', {}, 'The chain node gave no reason', 'eth_call failed.'],
		[
			'without words',
			{ code: 1, message: ' ' },
			'The chain node gave no reason',
			'eth_call failed with code 1.',
		],
		[
			'with a message that is none',
			{ message: { a: 1 } },
			'The chain node gave no reason',
			'eth_call failed.',
		],
		['a number', 5, 'The chain node gave no reason', 'eth_call failed.'],
		['true', true, 'The chain node gave no reason', 'eth_call failed.'],
	])('of any other shape is reported too: %s', (_, error, message, description) => {
		expect(rpcError(call, error)).toMatchObject({ message, description });
	});

	test.each([
		[
			'of hardhat, which repeats its words',
			'transaction gas limit (30000000) is greater than the cap (16777216)',
			{ data: null },
			'eth_call failed with code 1.',
		],
		['of Nethermind', 'VM execution error.', 'OutOfGas', 'code 1. Details: "OutOfGas"'],
		['that are empty', 'No.', '', 'eth_call failed with code 1.'],
		['that are the words', 'No.', 'No.', 'eth_call failed with code 1.'],
		['with more', 'No.', { at: 1, stack: 'x' }, 'Details: {"at":1,"message":"more"}', 'more'],
	])('details %s are reported once', (_whose, words, more, reported, said = words) => {
		const data = typeof more === 'string' ? more : { ...more, message: said };
		const { message, description } = rpcError(call, { code: 1, message: words, data });
		expect(message).toBe(words);
		expect(description).toMatch(reported);
		expect(description?.endsWith(reported)).toBe(true);
	});

	test('a revert of Ganache is reported with its reason, and without the place in its code', () => {
		const data = {
			hash: null,
			programCounter: 36,
			result: reverted,
			reason: 'No.',
			message: 'revert',
		};
		const message = 'VM Exception while processing transaction: revert No.';
		expect(rpcError(call, { code: -32000, message, stack: 'at …', data })).toMatchObject({
			message,
			description: 'eth_call failed with code -32000.',
		});
	});

	test('details are shortened', () => {
		const { description } = rpcError(call, { code: 1, message: 'No.', data: 'x'.repeat(5000) });
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
		expect(rpcError(call, limit(data)).retry).toEqual({ because: 'limit', after });
		expect(isLimit(limit(data))).toBe(true);
	});

	test('of a month is not waited for', () => {
		const quota = limit({ try_again_in: '1s' }, "You've exceeded your monthly quota.");
		expect(rpcError(call, quota).retry).toBeUndefined();
		expect(isLimit(quota)).toBe(true);
		expect(isLimit({ ...quota, code: -32000 })).toBe(true);
	});

	test.each([
		['Besu', 'Transaction gas limit exceeds block gas limit'],
		['a relay', "Transaction gas limit '16777216' exceeds max gas per sec limit '15000000'"],
	])('is not what %s says of gas, with the same code', (_whose, message) => {
		expect(isLimit(limit(undefined, message))).toBe(false);
		expect(rpcError(call, limit(undefined, message)).retry).toBeUndefined();
		expect(isLimit(limit({ try_again_in: '1s' }, message))).toBe(true);
	});

	test.each([
		[true, LIMIT],
		[true, 'Too Many Requests'],
		[true, 'Your app has exceeded its compute units per second capacity'],
		[true, 'daily request count exceeded, request rate limited'],
		[true, "You've reached your monthly quota"],
		[false, 'Block gas limit exceeded'],
		[false, 'header not found'],
	])('is named (%p) by %p', (isNamed, words) => {
		expect(isLimitNamed(words)).toBe(isNamed);
	});

	test.each([{ code: -32600, message: 'Batches are not supported' }, {}, 'No.', null])(
		'is not %p',
		(error) => {
			expect(isLimit(error)).toBe(false);
			expect(rpcError(call, error).retry).toBeUndefined();
		},
	);
});

describe('a duration as Go writes it', () => {
	test.each([
		['560.27ms', 560.27],
		['1m30s', 90_000],
		['1h0m0s', 3_600_000],
		['1h2m3.5s', 3_723_500],
		['1.5s', 1500],
		['0s', 0],
		['20µs', 0.02],
		['20μs', 0.02],
		['20us', 0.02],
		['5ms', 5],
		['1s500ms', 1500],
	])('%s is %p milliseconds', (given, milliseconds) => {
		expect(parseDuration(given)).toBeCloseTo(milliseconds, 6);
	});

	test('of nanoseconds is a small part of a millisecond', () => {
		expect(parseDuration('250ns')).toBeCloseTo(0.00025, 9);
	});

	test('of any minutes and seconds is their sum', () => {
		fc.assert(
			fc.property(fc.nat(10_000), fc.nat(59_999), (minutes, rest) => {
				expect(parseDuration(`${minutes}m${rest / 1000}s`)).toBeCloseTo(minutes * 60_000 + rest, 3);
			}),
			{ seed: getSeed(20261120), numRuns: 300 },
		);
	});

	test.each(['', ' ', 's', '5', '5 s', '-5s', '5x', '5s!', 'soon', '1m30', 5, null, undefined, {}])(
		'is not %p',
		(given) => {
			expect(parseDuration(given)).toBeUndefined();
		},
	);
});
