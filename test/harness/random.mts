export type Random = ReturnType<typeof createRandom>;

/** Pseudo-random numbers that are the same in every run. */
export function createRandom(seed: number) {
	let state = seed;
	const next = () => {
		state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return state / 2 ** 32;
	};
	return {
		upTo: (most: number) => Math.floor(next() * (most + 1)),
		oneOf: <T,>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
	};
}
