/** The long ring of CI tries everything that can be tried. */
export const isLongRing = Boolean(process.env.ALL_CASES);

/**
 * A long test tries this many random cases: all of them in the long ring of CI, a quarter in `npm test`, a few in
 * `npm run test:unit`.
 */
export function getCaseCount(all: number): number {
	if (isLongRing) return all;
	return Math.ceil(all / (process.env.FEW_CASES ? 20 : 4));
}
