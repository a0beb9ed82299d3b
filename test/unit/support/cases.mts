/** A long test tries this many random cases: all of them in `npm test`, a few in `npm run test:unit`. */
export function getCaseCount(all: number): number {
	return process.env.FEW_CASES ? Math.ceil(all / 20) : all;
}
