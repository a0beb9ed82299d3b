import { secp256k1 } from '@noble/curves/secp256k1';
import { hmac } from '@noble/hashes/hmac';
import { sha256 } from '@noble/hashes/sha2';
import { keccak_256 } from '@noble/hashes/sha3';

/** All cryptography of this package, from audited libraries. It is a bundle of its own, loaded on first use. */
export * from './ed25519.mts';

/** The curve of STARK rollups makes its tables when it is loaded, so that only who needs it loads it. */
export async function loadStarkLibrary() {
	return await import('./stark.mts');
}

export interface Signature {
	readonly r: bigint;
	readonly s: bigint;
	/** 0 or 1. */
	readonly yParity: number;
}

export interface Key {
	/** The address: 40 hex digits in lower case. */
	readonly account: string;
	/** Signs 32 bytes: deterministically (RFC 6979), with the lower of the two possible `s`. */
	sign(hash: Uint8Array): Signature;
	/** Derives 32 bytes (HMAC-SHA256) that follow from the key and the text, and say nothing of the key. */
	derive(text: string): Buffer;
}

export function keccak256(bytes: Uint8Array): Buffer {
	return Buffer.from(keccak_256(bytes));
}

/** Returns undefined for bytes that are no key of this curve. */
export function createKey(bytes: Uint8Array): Key | undefined {
	if (!secp256k1.utils.isValidPrivateKey(bytes)) return undefined;
	return {
		account: getAccount(secp256k1.getPublicKey(bytes, false)),
		sign: (hash) => {
			const { r, s, recovery } = secp256k1.sign(hash, bytes, { lowS: true });
			return { r, s, yParity: recovery };
		},
		derive: (text) => Buffer.from(hmac(sha256, bytes, text)),
	};
}

/** Returns the signer's address in 40 hex digits; undefined for an invalid or non-canonical signature. */
export function recoverSigner(hash: Uint8Array, { r, s, yParity }: Signature): string | undefined {
	try {
		const signature = new secp256k1.Signature(r, s).addRecoveryBit(yParity);
		if (signature.hasHighS()) return undefined;
		return getAccount(signature.recoverPublicKey(hash).toRawBytes(false));
	} catch {
		return undefined;
	}
}

/** Derives the address from a public key of 65 bytes, the first of which is 4. */
function getAccount(publicKey: Uint8Array): string {
	return keccak256(publicKey.subarray(1)).toString('hex', 12);
}
