import { secp256k1 } from '@noble/curves/secp256k1';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2';
import { keccak_256 } from '@noble/hashes/sha3';

/** What this package has of cryptography, all of it of audited libraries. A bundle of its own, loaded on first use. */
export interface Signature {
	readonly r: bigint;
	readonly s: bigint;
	/** 0 or 1. */
	readonly yParity: number;
}

export interface Key {
	/** 40 hex digits in lower case. */
	readonly account: string;
	/** Of 32 bytes: deterministic (RFC 6979), with the lower of the two possible `s`. */
	sign(hash: Uint8Array): Signature;
}

export function keccak256(bytes: Uint8Array): Buffer {
	return Buffer.from(keccak_256(bytes));
}

export function sha256(bytes: Uint8Array): Buffer {
	return Buffer.from(nobleSha256(bytes));
}

/** Undefined for bytes that are no key of this curve. */
export function createKey(bytes: Uint8Array): Key | undefined {
	if (!secp256k1.utils.isValidPrivateKey(bytes)) return undefined;
	return {
		account: getAccount(secp256k1.getPublicKey(bytes, false)),
		sign: (hash) => {
			const { r, s, recovery } = secp256k1.sign(hash, bytes, { lowS: true });
			return { r, s, yParity: recovery };
		},
	};
}

/** Who signed: 40 hex digits; undefined for what is no signature, or not the canonical one. */
export function recoverSigner(hash: Uint8Array, { r, s, yParity }: Signature): string | undefined {
	try {
		const signature = new secp256k1.Signature(r, s).addRecoveryBit(yParity);
		if (signature.hasHighS()) return undefined;
		return getAccount(signature.recoverPublicKey(hash).toRawBytes(false));
	} catch {
		return undefined;
	}
}

/** Of a public key of 65 bytes, which begin with 4. */
function getAccount(publicKey: Uint8Array): string {
	return keccak256(publicKey.subarray(1)).toString('hex', 12);
}
