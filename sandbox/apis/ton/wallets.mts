import type { Cell, ShardAccount } from '@ton/core';
import {
	WalletContractV1R1,
	WalletContractV1R2,
	WalletContractV1R3,
	WalletContractV2R1,
	WalletContractV2R2,
	WalletContractV3R1,
	WalletContractV3R2,
	WalletContractV4,
	WalletContractV5Beta,
	WalletContractV5R1,
} from '@ton/ton';
import { getContract } from './view.mts';

const key = { workchain: 0, publicKey: Buffer.alloc(32) };

/** The kinds of wallets. In their data, the seqno follows after `skip` bits, and an id may come next. */
const WALLETS = {
	'wallet v1 r1': { contract: WalletContractV1R1.create(key), skip: 0, hasId: false },
	'wallet v1 r2': { contract: WalletContractV1R2.create(key), skip: 0, hasId: false },
	'wallet v1 r3': { contract: WalletContractV1R3.create(key), skip: 0, hasId: false },
	'wallet v2 r1': { contract: WalletContractV2R1.create(key), skip: 0, hasId: false },
	'wallet v2 r2': { contract: WalletContractV2R2.create(key), skip: 0, hasId: false },
	'wallet v3 r1': { contract: WalletContractV3R1.create(key), skip: 0, hasId: true },
	'wallet v3 r2': { contract: WalletContractV3R2.create(key), skip: 0, hasId: true },
	'wallet v4 r2': { contract: WalletContractV4.create(key), skip: 0, hasId: true },
	'wallet v5 beta': { contract: WalletContractV5Beta.create(key), skip: 1, hasId: false },
	'wallet v5 r1': { contract: WalletContractV5R1.create(key), skip: 1, hasId: true },
};

const names = new Map(
	Object.entries(WALLETS).map(([name, wallet]) => [
		wallet.contract.init.code.hash().toString('hex'),
		{ name, ...wallet },
	]),
);

export interface WalletFacts {
	readonly wallet_type: string;
	readonly seqno: number;
	readonly wallet_id?: number;
	/** Whether a wallet of version 5 accepts the signature of its key. */
	readonly is_signature_allowed?: boolean;
}

export const findWalletName = (code: Cell): string | undefined =>
	names.get(code.hash().toString('hex'))?.name;

/** Reads a wallet. Returns undefined for an account that is no wallet of a known kind. */
export function readWallet(account: ShardAccount): WalletFacts | undefined {
	const contract = getContract(account);
	const wallet = contract && names.get(contract.code.hash().toString('hex'));
	if (!wallet) return undefined;
	const data = contract.data.beginParse();
	const isAllowed = wallet.skip === 1 ? data.loadBit() : undefined;
	return {
		wallet_type: wallet.name,
		seqno: data.loadUint(32),
		...(wallet.hasId && { wallet_id: data.loadUint(32) }),
		...(isAllowed !== undefined && { is_signature_allowed: isAllowed }),
	};
}
