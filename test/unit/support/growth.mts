/** A text of four times the length may cost this many times as much. At quadratic cost it is sixteen times. */
const MAX_COST_FACTOR = 8;
/** The microseconds below which a measurement shows the machine rather than the work. */
const NOISE_MICROSECONDS = 5_000;

/**
 * Works on growing inputs, fourfold up to the largest size, and expects the cost to grow with the size. It compares
 * ratios of this process's CPU time, so neither a slow machine nor a busy one makes a difference.
 */
export async function expectLinear(
	largest: number,
	work: (size: number) => unknown,
): Promise<void> {
	let before = Infinity;
	for (let size = largest / 64; size <= largest; size *= 4) {
		let cost = await measureCost(work, size);
		// A single high cost may contain a pause for garbage collection.
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
