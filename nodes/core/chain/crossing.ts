import { alignDecimals, type Decimal } from '../values/units';

/** The condition under which a value starts a workflow. */
export type StartCondition = Border | Change;

/**
 * The value must fall below a threshold, or rise above it. After a start, it must first return before it can start
 * the workflow again.
 */
interface Border {
	readonly compare: 'fallsBelow' | 'risesAbove';
	readonly threshold: Decimal;
	/**
	 * With `fallsBelow`, the workflow can start again after the value has risen to `rearmAt`. With `risesAbove`, the
	 * value must have fallen to it.
	 */
	readonly rearmAt: Decimal;
}

/** The condition that the value differs by the threshold from the value at which the workflow last started. */
interface Change {
	readonly compare: 'changesBy';
	readonly threshold: Decimal;
	/** Whether the threshold is a percentage of the value at which the workflow last started. */
	readonly isPercentage: boolean;
}

/** The state that is kept between two readings of a value. */
export interface CrossingState<Reading> {
	/** Whether the value can start the workflow at the next reading. */
	readonly isArmed: boolean;
	/**
	 * The reading to compare with: the previous one. With `changesBy`, it is the reading at the last start of the
	 * workflow, or the first reading before any start. Null before the first reading.
	 */
	readonly compared: Reading | null;
}

interface Crossing<Reading> {
	readonly starts: boolean;
	readonly state: CrossingState<Reading>;
}

export const INITIAL_STATE: CrossingState<never> = { isArmed: true, compared: null };

/** Decides whether a reading starts the workflow, and gives the state for the next reading. */
export function passReading<Reading extends { readonly value: Decimal }>(
	condition: StartCondition,
	before: CrossingState<Reading>,
	reading: Reading,
): Crossing<Reading> {
	if (condition.compare === 'changesBy') {
		const { compared } = before;
		const starts = compared !== null && isChanged(condition, compared.value, reading.value);
		return { starts, state: starts || !compared ? { ...before, compared: reading } : before };
	}
	const isArmed = before.isArmed || isBack(condition, reading.value);
	const starts = isArmed && isBeyond(condition, reading.value);
	return { starts, state: { isArmed: isArmed && !starts, compared: reading } };
}

function isBeyond({ compare, threshold }: Border, value: Decimal): boolean {
	const [now = 0n, line = 0n] = alignDecimals(value, threshold).digits;
	return compare === 'fallsBelow' ? now < line : now > line;
}

function isBack({ compare, rearmAt }: Border, value: Decimal): boolean {
	const [now = 0n, line = 0n] = alignDecimals(value, rearmAt).digits;
	return compare === 'fallsBelow' ? now >= line : now <= line;
}

/** Whether the value changed by at least the threshold. With a threshold of 0, any change counts. */
function isChanged({ threshold, isPercentage }: Change, before: Decimal, now: Decimal): boolean {
	const { digits, scale } = alignDecimals(before, now, threshold);
	const [old = 0n, present = 0n, least = 0n] = digits;
	const change = getMagnitude(present - old);
	if (change === 0n) return false;
	return isPercentage
		? change * 100n * 10n ** BigInt(scale) >= least * getMagnitude(old)
		: change >= least;
}

function getMagnitude(amount: bigint): bigint {
	return amount < 0n ? -amount : amount;
}

/** Whether the value could start the workflow at each reading, because `rearmAt` is beyond the threshold. */
export function isRearmedTooSoon(
	compare: Border['compare'],
	threshold: Decimal,
	rearmAt: Decimal,
): boolean {
	return isBeyond({ compare, threshold, rearmAt }, rearmAt);
}
