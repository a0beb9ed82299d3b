/** A text that is four times as long may cost so many times as much. With the square of its length it is sixteen times. */
const MAX_COST_FACTOR = 8;
/** Microseconds below which a measure says more of the machine than of the work. */
const NOISE_MICROSECONDS = 5_000;

/**
 * Works on ever more, fourfold up to the largest size, and expects that the cost grows with the size. What counts is the
 * processor's time of this process, and only in proportion: neither a slow machine nor a busy one makes a difference.
 */
export async function expectLinear(
	largest: number,
	work: (size: number) => unknown,
): Promise<void> {
	let before = Infinity;
	for (let size = largest / 64; size <= largest; size *= 4) {
		let cost = await measureCost(work, size);
		// A pause for garbage fell into one of the two, unless it is always so.
		for (let trial = 0; trial < 4 && cost > MAX_COST_FACTOR * before; trial++) {
			before = Math.max(before, await measureCost(work, size / 4));
			cost = Math.min(cost, await measureCost(work, size));
		}
		if (cost > MAX_COST_FACTOR * before) {
			throw new Error(`Of size ${size} it costs ${Math.round(cost / before)} times a fourth of it`);
		}
		before = cost;
	}
}

async function measureCost(work: (size: number) => unknown, size: number): Promise<number> {
	const begun = process.cpuUsage();
	await work(size);
	const { user, system } = process.cpuUsage(begun);
	return Math.max(user + system, NOISE_MICROSECONDS);
}
