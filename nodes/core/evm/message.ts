import { keccak256InSlices } from '../values/keccak';

/**
 * Hashes a message for signing (EIP-191). Wallets put a prefix before it, so that it cannot be a transaction. It may be
 * long.
 */
export function* hashMessageInSlices(message: Uint8Array): Generator<void, Buffer, void> {
	return yield* keccak256InSlices(prefixMessage(message));
}

/** The prefixed message before it is hashed. */
export function prefixMessage(message: Uint8Array): Buffer {
	const prefix = `\x19Ethereum Signed Message:\n${message.length}`;
	return Buffer.concat([Buffer.from(prefix), message]);
}
