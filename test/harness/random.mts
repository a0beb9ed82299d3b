import fc, { type Arbitrary, type GeneratorValue } from 'fast-check';
import { getSeed } from './caseCount.mts';

export type Random = ReturnType<typeof drawFrom>;

/**
 * Creates functions that draw values within a property over `fc.gen()`, without fast-check's bias towards the edges.
 */
export function drawFrom(generate: GeneratorValue) {
	const draw = <T,>(arbitrary: Arbitrary<T>): T => generate(() => fc.noBias(arbitrary));
	const upTo = (most: number) => draw(fc.integer({ min: 0, max: most }));
	const bytes = (count: number) => {
		const drawn = draw(fc.uint8Array({ minLength: count, maxLength: count }));
		return `0x${Buffer.from(drawn).toString('hex')}` as const;
	};
	return {
		upTo,
		oneOf: <T,>(list: readonly T[]) => draw(fc.constantFrom(...list)),
		bytes,
		/** Draws a number that has at most `most` bytes. It can be 0. */
		number: (most: number) => {
			const digits = bytes(most).slice(2);
			return BigInt(`0x0${digits.slice(0, upTo(2 * most))}`);
		},
	};
}

/**
 * Draws values from a seed. It serves tests that a property cannot repeat, such as one with the long history of a
 * chain.
 */
export function createRandom(seed: number): Random {
	const [generate] = fc.sample(fc.gen(), { seed: getSeed(seed), numRuns: 1 });
	return drawFrom(generate as GeneratorValue);
}
