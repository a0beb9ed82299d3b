import { retryAfter, waitBeforeRetry } from '../../nodes/core/pacing/retry';

describe('the wait before a retry', () => {
	test('is none without a reason to retry', () => {
		expect(waitBeforeRetry(undefined, 0, 4)).toBeUndefined();
	});

	test.each([
		[0, 250, 500],
		[1, 500, 1000],
		[2, 1000, 2000],
		[3, 2000, 4000],
		[9, 8000, 16_000],
	])('backs off, at attempt %p from %p to %p ms', (attempt, least, most) => {
		for (const because of ['lost', 'cut', 'limit'] as const) {
			const waits = Array.from({ length: 50 }, () => waitBeforeRetry({ because }, attempt, 20));
			expect(Math.min(...waits.map(Number))).toBeGreaterThanOrEqual(least);
			expect(Math.max(...waits.map(Number))).toBeLessThanOrEqual(most);
			expect(new Set(waits).size).toBeGreaterThan(1);
		}
	});

	test('ends when the retries are used up', () => {
		expect(waitBeforeRetry({ because: 'lost' }, 3, 4)).toBeDefined();
		expect(waitBeforeRetry({ because: 'lost' }, 4, 4)).toBeUndefined();
		expect(waitBeforeRetry({ because: 'limit' }, 0, 0)).toBeUndefined();
	});

	test('is what the limit says, and uses up no retries', () => {
		expect(waitBeforeRetry({ because: 'limit', after: 560.27 }, 99, 0)).toBe(560.27);
		expect(waitBeforeRetry({ because: 'limit', after: 60_000 }, 0, 0)).toBe(60_000);
	});

	test('is never nothing at all, nor a day', () => {
		expect(waitBeforeRetry({ because: 'limit', after: 0 }, 0, 4)).toBeGreaterThan(0);
		expect(waitBeforeRetry({ because: 'limit', after: 86_400_000 }, 0, 4)).toBeUndefined();
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
		expect(retryAfter(header, now)).toBe(milliseconds);
	});

	test.each([undefined, null, '', '-5', 'soon', '5 minutes?', '1e3x', {}])(
		'%p says nothing',
		(header) => {
			expect(retryAfter(header, now)).toBeUndefined();
		},
	);
});
