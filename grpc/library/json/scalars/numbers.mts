/** JSON knows no other numbers than finite ones. */
export function numberToJson(value: number): number | string {
	return Number.isFinite(value) ? value : String(value);
}

/** The shortest number that is the same float: 0.3, where a double shows 0.30000001192092896. */
export function shortestFloat(float: number): number {
	for (let digits = 1; digits < 9; digits++) {
		const short = Number(float.toPrecision(digits));
		if (Math.fround(short) === float) return short;
	}
	return Number(float.toPrecision(9));
}
