/**
 * The highest allowed factor of the cost when the text is four times as long. Quadratic cost would have a factor of
 * sixteen.
 */
const MAX_COST_FACTOR = 8;
/** A shorter measurement shows the noise of the machine rather than the cost of the work. In microseconds. */
const NOISE_MICROSECONDS = 5_000;

/**
 * Measures the cost of growing inputs, each four times as large as the one before, and expects it to grow in
 * proportion to the size. It compares the CPU time of this process, so a slow or busy machine makes no difference.
 */
export async function expectLinear(
	largest: number,
	work: (size: number) => unknown,
): Promise<void> {
	let before = Infinity;
	for (let size = largest / 64; size <= largest; size *= 4) {
		let cost = await measureCost(work, size);
		// A single high measurement may contain a pause for garbage collection, so it is repeated.
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
