import { _starkCurve as curve, MAX_VALUE, poseidonHashMany } from '@scure/starknet';

export interface StarkKey {
	/** The key is the x coordinate of its point. */
	readonly publicKey: bigint;
	/** Signs a hash deterministically (RFC 6979); the signature is r and s. */
	sign(hash: bigint): readonly [bigint, bigint];
}

export function hashPoseidon(felts: readonly bigint[]): bigint {
	return poseidonHashMany([...felts]);
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
