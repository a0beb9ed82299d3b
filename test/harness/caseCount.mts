/** Whether tests try all of their cases, as `.ci/run all` does. */
export const TRIES_ALL = Boolean(process.env.ALL_CASES);

/** Returns the number of random cases for a long test: all of them in `.ci/run all`, a tenth in `npm test`. */
export function getCaseCount(all: number): number {
	return TRIES_ALL ? all : Math.ceil(all / 10);
}

/** Takes all rows of a long table in `.ci/run all`. In `npm test`, takes only every `step`th row. */
export function takeRows<T extends unknown[] | [unknown]>(rows: readonly T[], step: number): T[];
export function takeRows<T>(rows: readonly T[], step: number): T[];
export function takeRows<T>(rows: readonly T[], step: number): T[] {
	return rows.filter((_, index) => TRIES_ALL || index % step === 0);
}

/**
 * Returns the seed of random cases. `npm test` draws the same cases each time; `.ci/run all` draws others, and prints
 * its seed.
 */
export function getSeed(fixed: number): number {
	return fixed + Number(process.env.TEST_SEED ?? 0);
}
