/** The long ring of CI tries everything that can be tried. */
export const isLongRing = Boolean(process.env.ALL_CASES);

/** A long test tries this many random cases: all of them in the long ring of CI, a tenth in `npm test`. */
export function getCaseCount(all: number): number {
	return isLongRing ? all : Math.ceil(all / 10);
}

/** Takes the rows of a long table that are tried: all of them in the long ring of CI, every so many in `npm test`. */
export function takeRows<T>(rows: readonly T[], step: number): T[] {
	return rows.filter((_, index) => isLongRing || index % step === 0);
}
