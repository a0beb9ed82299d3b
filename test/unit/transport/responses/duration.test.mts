import fc from 'fast-check';
import { parseDuration } from '../../../../nodes/core/transport/responses/rpcErrors';

fc.configureGlobal({ seed: 20261120, numRuns: 300 });

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
		);
	});

	test.each(['', ' ', 's', '5', '5 s', '-5s', '5x', '5s!', 'soon', '1m30', 5, null, undefined, {}])(
		'is not %p',
		(given) => {
			expect(parseDuration(given)).toBeUndefined();
		},
	);
});
