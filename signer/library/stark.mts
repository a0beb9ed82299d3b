import { _starkCurve as curve, MAX_VALUE, poseidonSmall } from '@scure/starknet';

export interface StarkKey {
	/** The key is the x coordinate of its point. */
	readonly publicKey: bigint;
	/** Signs a hash deterministically (RFC 6979); the signature is r and s. */
	sign(hash: bigint): readonly [bigint, bigint];
}

/** Felts that are hashed in one go; each pair takes up to half a millisecond. */
const SLICE_FELTS = 100;
const RATE_FELTS = 2;

/** Hashes felts. Between slices of the work it yields, so that its caller can let others have their turn. */
export function* hashPoseidon(felts: readonly bigint[]): Generator<void, bigint, void> {
	let state = [0n, 0n, 0n];
	// A 1 is appended, and a 0 where one felt of the last pair is missing.
	for (let at = 0; at <= felts.length; at += RATE_FELTS) {
		if (at > 0 && at % SLICE_FELTS === 0) yield;
		const [first = 0n, second = 0n, capacity = 0n] = state;
		const end = felts.length - at;
		const pair = [felts[at] ?? 1n, felts[at + 1] ?? (end === 1 ? 1n : 0n)] as const;
		state = poseidonSmall([first + pair[0], second + pair[1], capacity]);
	}
	return state[0] ?? 0n;
}

/** Returns undefined for bytes that are no key of this curve. */
export function createStarkKey(bytes: Uint8Array): StarkKey | undefined {
	if (!curve.utils.isValidPrivateKey(bytes)) return undefined;
	const publicKey = curve.ProjectivePoint.fromPrivateKey(bytes).toAffine().x;
	return {
		publicKey,
		sign: (hash) => {
			// One hash in 2^54 is larger than what an account can check.
			if (hash >= MAX_VALUE) throw new RangeError('The hash is too large for this curve');
			const { r, s } = curve.sign(encodeHash(hash), bytes);
			return [r, s];
		},
	};
}

const HASH_BYTES = 32;

function encodeHash(hash: bigint): Uint8Array {
	const digits = hash.toString(16).padStart(2 * HASH_BYTES, '0');
	return Uint8Array.from(Buffer.from(digits, 'hex'));
}
