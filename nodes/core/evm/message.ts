import { keccak256 } from '../values/keccak';

/** What is signed of a message (EIP-191): wallets put their own words before it, so that it can be no transaction. */
export function hashMessage(message: Uint8Array): Buffer {
	return keccak256(prefixMessage(message));
}

/** The same before it is hashed. */
export function prefixMessage(message: Uint8Array): Buffer {
	const prefix = `\x19Ethereum Signed Message:\n${message.length}`;
	return Buffer.concat([Buffer.from(prefix), message]);
}
