import fc from 'fast-check';
import {
	INITIAL_STATE,
	isRearmedTooSoon,
	passReading,
	type CrossingState,
	type StartCondition,
} from '../../../nodes/core/chain/crossing';
import { parseDecimal, type Decimal } from '../../../nodes/core/values/units';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';

/** The tests compute the expected results with integers: whole millionths, which have six decimals. */
const MILLIONTHS = 6;

/**
 * Random amounts: close to 0, so that they often meet a threshold exactly, or so large that a double would round
 * them.
 */
const amount = fc.oneof(
	{ weight: 8, arbitrary: fc.bigInt({ min: -6n, max: 6n }) },
	{ weight: 2, arbitrary: fc.bigInt({ min: -3n, max: 3n }).map((one) => one * 10n ** 6n) },
	{ weight: 2, arbitrary: fc.bigInt({ min: -3n, max: 3n }).map((one) => 10n ** 40n + one) },
);
const readings = fc.array(amount, { maxLength: 40 });
const positive = amount.map((one) => (one < 0n ? -one : one));

/** Converts a number of millionths to a decimal, with a fraction of six digits. */
function toDecimal(millionths: bigint): Decimal {
	const digits = String(millionths < 0n ? -millionths : millionths).padStart(MILLIONTHS + 1, '0');
	const text = `${digits.slice(0, -MILLIONTHS)}.${digits.slice(-MILLIONTHS)}`;
	return parseDecimal(`${millionths < 0n ? '-' : ''}${text}`);
}

interface Reading {
	readonly value: Decimal;
	readonly at: number;
}

function findStarts(line: StartCondition, values: readonly bigint[]) {
	let state: CrossingState<Reading> = INITIAL_STATE;
	return values.flatMap((value, at) => {
		const before = state.compared?.at ?? null;
		const found = passReading(line, state, { value: toDecimal(value), at });
		({ state } = found);
		return found.starts ? [{ at, before }] : [];
	});
}

describe('a value that crosses a line', () => {
	const check = (property: fc.IRawProperty<unknown>) =>
		fc.assert(property, { numRuns: getCaseCount(5_000), seed: getSeed(7601) });

	test.each(['fallsBelow', 'risesAbove'] as const)(
		'%s: starts at the first reading beyond it, and again only after one that was back',
		(compare) => {
			check(
				fc.property(readings, amount, positive, (given, threshold, distance) => {
					const sign = compare === 'fallsBelow' ? 1n : -1n;
					const rearmAt = threshold + sign * distance;
					const isBeyond = (value: bigint) => sign * value < sign * threshold;
					const isBack = (value: bigint) => sign * value >= sign * rearmAt;
					const starts: number[] = [];
					for (const [at, value] of given.entries()) {
						const since = given.slice((starts.at(-1) ?? -1) + 1, at);
						if (isBeyond(value) && (starts.length === 0 || since.some(isBack))) starts.push(at);
					}
					const line = {
						compare,
						threshold: toDecimal(threshold),
						rearmAt: toDecimal(rearmAt),
					};
					expect(findStarts(line, given)).toEqual(
						starts.map((at) => ({ at, before: at === 0 ? null : at - 1 })),
					);
				}),
			);
		},
	);

	test.each([false, true])(
		'changesBy (a percentage: %s): starts where it differs by so much from the last start',
		(isPercentage) => {
			check(
				fc.property(readings, positive, (given, threshold) => {
					const starts: Array<{ at: number; before: number }> = [];
					for (const [at, value] of given.entries()) {
						const before = starts.at(-1)?.at ?? 0;
						const old = given[before] ?? 0n;
						const change = value > old ? value - old : old - value;
						const least = old < 0n ? -old * threshold : old * threshold;
						const isEnough = isPercentage
							? change * 100n * 10n ** BigInt(MILLIONTHS) >= least
							: change >= threshold;
						if (change > 0n && isEnough) starts.push({ at, before });
					}
					const line = {
						compare: 'changesBy' as const,
						threshold: toDecimal(threshold),
						isPercentage,
					};
					expect(findStarts(line, given)).toEqual(starts);
				}),
			);
		},
	);

	test('a value that rearms before it has left is no such line', () => {
		const [four, five] = [parseDecimal('4'), parseDecimal('5')];
		expect(isRearmedTooSoon('fallsBelow', five, four)).toBe(true);
		expect(isRearmedTooSoon('risesAbove', four, five)).toBe(true);
		expect(isRearmedTooSoon('fallsBelow', four, five)).toBe(false);
		expect(isRearmedTooSoon('risesAbove', five, four)).toBe(false);
		expect(isRearmedTooSoon('fallsBelow', five, five)).toBe(false);
	});
});
