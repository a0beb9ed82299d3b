import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import {
	parseRetryAfter,
	getRetryDelay,
	withRetryTime,
} from '../../../../nodes/core/net/pacing/retry';

const limits = (maxRetries: number, maxWait = 300) => ({ maxRetries, maxWait });

describe('the wait before a retry', () => {
	test('is none without a reason to retry', () => {
		expect(getRetryDelay(undefined, 0, limits(4))).toBeUndefined();
	});

	test.each([
		[0, 250, 500],
		[1, 500, 1000],
		[2, 1000, 2000],
		[3, 2000, 4000],
		[9, 8000, 16_000],
	])('backs off, at attempt %p from %p to %p ms', (attempt, least, most) => {
		for (const because of ['lost', 'limit'] as const) {
			const waits = Array.from({ length: 50 }, () =>
				getRetryDelay({ because }, attempt, limits(20)),
			);
			expect(Math.min(...waits.map(Number))).toBeGreaterThanOrEqual(least);
			expect(Math.max(...waits.map(Number))).toBeLessThanOrEqual(most);
			expect(new Set(waits).size).toBeGreaterThan(1);
		}
	});

	test('ends when the retries are used up', () => {
		expect(getRetryDelay({ because: 'lost' }, 3, limits(4))).toBeDefined();
		expect(getRetryDelay({ because: 'lost' }, 4, limits(4))).toBeUndefined();
		expect(getRetryDelay({ because: 'limit' }, 0, limits(0))).toBeUndefined();
	});

	test('is what the limit says, and uses up no retries', () => {
		expect(getRetryDelay({ because: 'limit', after: 560.27 }, 99, limits(0))).toBe(560.27);
		expect(getRetryDelay({ because: 'limit', after: 300_000 }, 0, limits(0))).toBe(300_000);
	});

	test('is never nothing at all, nor a day', () => {
		expect(getRetryDelay({ because: 'limit', after: 0 }, 0, limits(4))).toBe(250);
		expect(getRetryDelay({ because: 'limit', after: 300_001 }, 0, limits(4))).toBeUndefined();
	});

	test('is no longer than the user allows', () => {
		const retry = { because: 'limit', after: 61_000 } as const;
		expect(getRetryDelay(retry, 0, limits(4, 61))).toBe(61_000);
		expect(getRetryDelay(retry, 0, limits(4, 60))).toBeUndefined();
		expect(getRetryDelay(retry, 0, limits(4, 0))).toBeUndefined();
	});
});

describe('a wait that is too long', () => {
	const now = Date.parse('2026-11-20T12:00:00Z');
	const after = (milliseconds: number) =>
		withRetryTime(
			new RequestFailure('Slow down.', {
				description: 'It was asked.',
				retry: { because: 'limit', after: milliseconds },
			}),
			now,
		).description;

	test.each([
		[400, '1 second, at 2026-11-20T12:00:00.400Z'],
		[61_000, '61 seconds, at 2026-11-20T12:01:01.000Z'],
		[301_000, '6 minutes, at 2026-11-20T12:05:01.000Z'],
		[86_400_000, '24 hours, at 2026-11-21T12:00:00.000Z'],
		[30 * 86_400_000, '30 days, at 2026-12-20T12:00:00.000Z'],
	])('of %p ms is named with its end', (milliseconds, words) => {
		expect(after(milliseconds)).toBe(
			`It was asked. The service asks you to come back in ${words}. 'Max Wait' sets how long to wait: in the options, or in the limits of the credential.`,
		);
	});

	test('beyond all calendars is named, too; one for ever, or without a time, is not', () => {
		expect(after(1e300)).toMatch(/days, at \+275760/);
		expect(after(Infinity)).toBe('It was asked.');
		const lost = new RequestFailure('Lost.', { retry: { because: 'lost' } });
		expect(withRetryTime(lost)).toBe(lost);
	});
});

describe('Retry-After', () => {
	const now = Date.parse('2026-11-20T12:00:00Z');

	test.each([
		['5', 5000],
		[' 0.5 ', 500],
		[7, 7000],
		['0', 0],
		['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
		['Fri, 20 Nov 2026 11:00:00 GMT', 0],
	])('%p is %p ms', (header, milliseconds) => {
		expect(parseRetryAfter(header, now)).toBe(milliseconds);
	});

	test.each([undefined, null, '', '-5', 'soon', '5 minutes?', '1e3x', {}])(
		'%p says nothing',
		(header) => {
			expect(parseRetryAfter(header, now)).toBeUndefined();
		},
	);
});
