import { createHash } from 'crypto';
import { wait } from '../net/pacing/stop';
import { FIELD_PRIME } from './felts';

/**
 * The number of rounds of Hades, the permutation in the Poseidon hash. Its state is three felts (the chain's field
 * elements).
 */
const ROUNDS = 91;
/** The first and the last rounds change all three felts. The rounds between them change only the last felt. */
const FULL_ROUNDS_AT_EACH_END = 4;

type State = readonly [bigint, bigint, bigint];

/** Derives a constant of the Hades permutation: the SHA-256 hash of `Hades` and its number. */
function deriveConstant(index: number): bigint {
	const digest = createHash('sha256').update(`Hades${index}`).digest('hex');
	return BigInt(`0x${digest}`) % FIELD_PRIME;
}

function deriveConstants(): State[] {
	return Array.from({ length: ROUNDS }, (_, round): State => {
		const first = 3 * round;
		return [deriveConstant(first), deriveConstant(first + 1), deriveConstant(first + 2)];
	});
}

function reduce(value: bigint): bigint {
	const rest = value % FIELD_PRIME;
	return rest < 0n ? rest + FIELD_PRIME : rest;
}

function cube(value: bigint): bigint {
	return (((value * value) % FIELD_PRIME) * value) % FIELD_PRIME;
}

function permute(state: State, constants: readonly State[]): State {
	let [a, b, c] = state;
	constants.forEach(([first, second, third], round) => {
		const isFull = round < FULL_ROUNDS_AT_EACH_END || round >= ROUNDS - FULL_ROUNDS_AT_EACH_END;
		const [x, y] = isFull ? [cube(a + first), cube(b + second)] : [a + first, b + second];
		const z = cube(c + third);
		const sum = x + y + z;
		[a, b, c] = [reduce(sum + 2n * x), reduce(sum - 2n * y), reduce(sum - 3n * z)];
	});
	return [a, b, c];
}

/** After this many permutations, which take some milliseconds, other code can run. */
const PERMUTATIONS_PER_TURN = 100;

/** Computes the Poseidon hash of lists of felts, as the chain does. The lists may have any length. */
export class PoseidonHasher {
	private readonly constants = deriveConstants();
	private permutations = 0;

	async hash(felts: readonly bigint[]): Promise<bigint> {
		const padding = felts.length % 2 === 0 ? [1n, 0n] : [1n];
		const padded = [...felts, ...padding];
		let state: State = [0n, 0n, 0n];
		for (let at = 0; at < padded.length; at += 2) {
			const [a, b, c] = state;
			state = permute([a + (padded[at] ?? 0n), b + (padded[at + 1] ?? 0n), c], this.constants);
			if (++this.permutations % PERMUTATIONS_PER_TURN === 0) await wait(0);
		}
		return state[0];
	}
}
