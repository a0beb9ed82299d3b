import type { Cell, MessageRelaxed, SendMode } from '@ton/core';
import { type KeyPair, keyPairFromSeed } from '@ton/crypto';
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton';

export interface Person {
	/** 32 bytes in hex: everybody knows it. */
	readonly seed: string;
	readonly keys: KeyPair;
	readonly v3r2: WalletContractV3R2;
	readonly v4r2: WalletContractV4;
	readonly v5r1: WalletContractV5R1;
}

export const WALLET_KINDS = ['v3r2', 'v4r2', 'v5r1'] as const;
export type WalletKind = (typeof WALLET_KINDS)[number];

function createPerson(byte: number): Person {
	const seed = Buffer.alloc(32, byte);
	const keys = keyPairFromSeed(seed);
	const { publicKey } = keys;
	return {
		seed: seed.toString('hex'),
		keys,
		v3r2: WalletContractV3R2.create({ workchain: 0, publicKey }),
		v4r2: WalletContractV4.create({ workchain: 0, publicKey }),
		v5r1: WalletContractV5R1.create({ publicKey }),
	};
}

/** Pays for everything that the control server asks for, from its wallet v3r2. */
export const giver = createPerson(0x11);
/** Her wallets are deployed. */
export const alice = createPerson(0x22);
/** His have coins, and no code yet. */
export const bob = createPerson(0x33);

interface Transfer {
	readonly seqno: number;
	readonly secretKey: Buffer;
	readonly sendMode: SendMode;
	readonly timeout: number;
	readonly messages: MessageRelaxed[];
}

/** The body of a wallet's request. The three contracts take the same, in types that differ. */
export function signTransfer(person: Person, kind: WalletKind, transfer: Transfer): Cell {
	if (kind === 'v3r2') return person.v3r2.createTransfer(transfer);
	if (kind === 'v4r2') return person.v4r2.createTransfer(transfer);
	return person.v5r1.createTransfer(transfer);
}
