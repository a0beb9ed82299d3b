import { keccak256InSlices } from '../values/keccak';

/**
 * Hashes a message for signing. A prefix (EIP-191) ensures that the message cannot be a transaction. Pauses let n8n do
 * other work.
 */
export function* hashMessageInSlices(message: Uint8Array): Generator<void, Buffer, void> {
	return yield* keccak256InSlices(prefixMessage(message));
}

/** Puts the prefix of EIP-191 before a message, without hashing it. */
export function prefixMessage(message: Uint8Array): Buffer {
	const prefix = `\x19Ethereum Signed Message:\n${message.length}`;
	return Buffer.concat([Buffer.from(prefix), message]);
}
