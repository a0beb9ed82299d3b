import { ed25519 } from '@noble/curves/ed25519';
import { hmac } from '@noble/hashes/hmac';
import { pbkdf2 } from '@noble/hashes/pbkdf2';
import { sha512 } from '@noble/hashes/sha2';
import { utf8ToBytes } from '@noble/hashes/utils';

export interface Ed25519Key {
	/** The key has 32 bytes. */
	readonly publicKey: Uint8Array;
	/** Signs 32 bytes deterministically; the signature has 64 bytes. */
	sign(hash: Uint8Array): Uint8Array;
}

/** The seed is 32 bytes, any of which are a key. */
export function createEd25519Key(seed: Uint8Array): Ed25519Key {
	return { publicKey: ed25519.getPublicKey(seed), sign: (hash) => ed25519.sign(hash, seed) };
}

const ROUNDS = 100_000;
const CHECK_ROUNDS = 390;
const SEED_BYTES = 32;

/**
 * Derives the seed of a TON wallet from its 24 words: lower-case ASCII with single blanks between. It is undefined for
 * words that fail their checksum, as 255 of 256 wrong ones do.
 */
export function deriveSeed(words: Uint8Array): Uint8Array | undefined {
	const entropy = hmac(sha512, words, new Uint8Array());
	const derive = (salt: string, rounds: number) =>
		pbkdf2(sha512, entropy, utf8ToBytes(salt), { c: rounds, dkLen: SEED_BYTES });
	const [check] = derive('TON seed version', CHECK_ROUNDS);
	return check === 0 ? derive('TON default seed', ROUNDS) : undefined;
}
