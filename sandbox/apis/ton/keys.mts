import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Cell, MessageRelaxed, SendMode } from '@ton/core';
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton';

export interface Person {
	/** The seed of the key, as 32 bytes in hex. It is public. */
	readonly seed: string;
	readonly signer: (message: Cell) => Promise<Buffer>;
	readonly v3r2: WalletContractV3R2;
	readonly v4r2: WalletContractV4;
	readonly v5r1: WalletContractV5R1;
}

export const WALLET_KINDS = ['v3r2', 'v4r2', 'v5r1'] as const;
export type WalletKind = (typeof WALLET_KINDS)[number];

/** The first bytes of an Ed25519 key in the DER form that Node reads. The seed of the key follows them. */
const KEY_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

/**
 * Creates a person whose messages Node signs. The common TON library makes the same signatures, but about a hundred
 * times slower under Jest.
 */
function createPerson(byte: number): Person {
	const seed = Buffer.alloc(KEY_BYTES, byte);
	const der = Buffer.concat([KEY_HEAD, seed]);
	const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
	const published = createPublicKey(key).export({ format: 'der', type: 'spki' });
	const publicKey = published.subarray(-KEY_BYTES);
	return {
		seed: seed.toString('hex'),
		signer: async (message) => await Promise.resolve(sign(null, message.hash(), key)),
		v3r2: WalletContractV3R2.create({ workchain: 0, publicKey }),
		v4r2: WalletContractV4.create({ workchain: 0, publicKey }),
		v5r1: WalletContractV5R1.create({ publicKey }),
	};
}

/** The person whose wallet v3r2 pays for everything that the control server asks for. */
export const giver = createPerson(0x11);
/** A person whose wallets are deployed. */
export const alice = createPerson(0x22);
/** A person whose wallets have coins but no code yet. */
export const bob = createPerson(0x33);

interface Transfer {
	readonly seqno: number;
	readonly sendMode: SendMode;
	readonly timeout: number;
	readonly messages: MessageRelaxed[];
}

/** Signs the body of a wallet's request. The three kinds of wallet take the same values in different types. */
export async function signTransfer(
	person: Person,
	kind: WalletKind,
	transfer: Transfer,
): Promise<Cell> {
	const { signer } = person;
	if (kind === 'v3r2') return await person.v3r2.createTransfer({ ...transfer, signer });
	if (kind === 'v4r2') return await person.v4r2.createTransfer({ ...transfer, signer });
	return await person.v5r1.createTransfer({ ...transfer, signer });
}
