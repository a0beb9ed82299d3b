import type { TonAccount } from './address';
import { CellBuilder } from './builder';
import type { Cell } from './cell';
import { parseBag } from './bag/parse';
import { Slice } from './slice';
import { buildStateInit } from './stateInit';
import { WALLET_CODES } from './walletCodes';

export type WalletType = keyof typeof WALLET_CODES;
export const WALLET_TYPES = Object.keys(WALLET_CODES) as readonly WalletType[];

/** The values that determine the address of a wallet. */
export interface Wallet {
	readonly type: WalletType;
	/** The workchain as one byte, as in the address of the wallet. */
	readonly workchain: number;
	/** 32 bits without a sign. */
	readonly walletId: number;
	readonly publicKey: Uint8Array;
}

/** The data that the contract of a wallet stores on the chain. */
export interface WalletData {
	readonly seqno: number;
	readonly walletId: number;
	readonly publicKey: Buffer;
}

/** How many messages one transfer of a wallet can send. */
export const MAX_MESSAGES: Readonly<Record<WalletType, number>> = { v3r2: 4, v4r2: 4, v5r1: 255 };

const PUBLIC_KEY_BYTES = 32;

const CODES: Readonly<Record<WalletType, Cell>> = {
	v3r2: parseBag(WALLET_CODES.v3r2),
	v4r2: parseBag(WALLET_CODES.v4r2),
	v5r1: parseBag(WALLET_CODES.v5r1),
};

/** Finds the kind of a wallet by the hash of its code; undefined for code of no known wallet. */
export function recognizeWallet(codeHash: Uint8Array): WalletType | undefined {
	return WALLET_TYPES.find((type) => CODES[type].hash.equals(codeHash));
}

/** The ID of most wallets before version 5. Wallets with other IDs also work. */
const DEFAULT_WALLET_ID = 698_983_191;
const MAIN_NETWORK = -239;
const TEST_NETWORK = -3;
const BY_CLIENT_FLAG = 0x80000000;
const WORKCHAIN_SHIFT = 23;

/** Returns the ID that a wallet has unless somebody chose another. In version 5, the ID differs by network. */
export function getUsualWalletId(type: WalletType, workchain: number, isTest: boolean): number {
	if (type !== 'v5r1') return (DEFAULT_WALLET_ID + ((workchain << 24) >> 24)) >>> 0;
	const network = isTest ? TEST_NETWORK : MAIN_NETWORK;
	return (network ^ (BY_CLIENT_FLAG | (workchain << WORKCHAIN_SHIFT))) >>> 0;
}

/** Builds the state init with which a wallet is deployed. */
export function buildWalletState(wallet: Wallet): Cell {
	return buildStateInit(CODES[wallet.type], buildFirstData(wallet));
}

function buildFirstData({ type, walletId, publicKey }: Wallet): Cell {
	const builder = new CellBuilder();
	if (type === 'v5r1') builder.storeBit(true);
	builder.storeUint(0, 32).storeUint(walletId, 32).storeBytes(publicKey);
	return (type === 'v3r2' ? builder : builder.storeBit(false)).build();
}

export function getWalletAccount(wallet: Wallet): TonAccount {
	const { hash } = buildWalletState(wallet);
	return { workchain: wallet.workchain, hash, isTestOnly: false };
}

/** Parses the data of a wallet's contract. Throws InvalidValue for data that a wallet of this type cannot have. */
export function parseWalletData(type: WalletType, data: Cell): WalletData {
	const slice = new Slice(data);
	if (type === 'v5r1') slice.loadBit();
	return {
		seqno: slice.loadNumber(32),
		walletId: slice.loadNumber(32),
		publicKey: slice.loadBytes(PUBLIC_KEY_BYTES),
	};
}

/** Lists the usual wallets of a key, each once. Version 5 has one wallet for each network. */
export function listWallets(publicKey: Uint8Array, workchain: number): readonly Wallet[] {
	const walletOf = (type: WalletType, isTest: boolean): Wallet => {
		return { type, workchain, walletId: getUsualWalletId(type, workchain, isTest), publicKey };
	};
	return [...WALLET_TYPES.map((type) => walletOf(type, false)), walletOf('v5r1', true)];
}

interface WantedWallet {
	readonly account: TonAccount;
	/** The kind of the wallet. Null if it is not known. */
	readonly type: WalletType | null;
	readonly walletId: number | null;
}

/**
 * Finds which wallet of the public key has the given address. Returns undefined if the address belongs to another key, or
 * to a wallet with an ID that is neither the default nor `walletId`.
 */
export function findWallet(
	publicKey: Uint8Array,
	{ account, type, walletId }: WantedWallet,
): Wallet | undefined {
	return listWallets(publicKey, account.workchain)
		.filter((one) => type === null || one.type === type)
		.map((one) => ({ ...one, walletId: walletId ?? one.walletId }))
		.find((one) => getWalletAccount(one).hash.equals(account.hash));
}
