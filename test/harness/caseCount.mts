/** Whether tests try all of their cases, as in `.ci/run all`. */
export const TRIES_ALL = Boolean(process.env.ALL_CASES);

/** A long test tries this many random cases: all of them in `.ci/run all`, a tenth in `npm test`. */
export function getCaseCount(all: number): number {
	return TRIES_ALL ? all : Math.ceil(all / 10);
}

/** Takes the rows of a long table that are tried: all of them in `.ci/run all`, every so many in `npm test`. */
export function takeRows<T extends unknown[] | [unknown]>(rows: readonly T[], step: number): T[];
export function takeRows<T>(rows: readonly T[], step: number): T[];
export function takeRows<T>(rows: readonly T[], step: number): T[] {
	return rows.filter((_, index) => TRIES_ALL || index % step === 0);
}

/** `.ci/run all` draws other cases each time, by the seed that it prints; `npm test` draws the same ones. */
export function getSeed(fixed: number): number {
	return fixed + Number(process.env.TEST_SEED ?? 0);
}
