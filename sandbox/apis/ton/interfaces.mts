import type { ShardAccount } from '@ton/core';
import { CODES } from './contracts.mts';
import { getContract } from './view.mts';
import { findWalletName } from './wallets.mts';

const CONTRACTS = {
	jetton_master: CODES.jettonMaster,
	jetton_wallet: CODES.jettonWallet,
	nft_collection: CODES.nftCollection,
	nft_item: CODES.nftItem,
};

type InterfaceName = keyof typeof CONTRACTS;

/** Returns the kinds of an account, which its code decides, as in the real index. */
export function findInterfaces(account: ShardAccount): readonly string[] {
	const code = getContract(account)?.code;
	if (!code) return [];
	const wallet = findWalletName(code);
	if (wallet) return [wallet.replace(' ', '_').replace(' ', '')];
	return Object.entries(CONTRACTS).flatMap(([name, own]) => (own.equals(code) ? [name] : []));
}

/** Returns the data of a contract of the named kind, or undefined for every other account. */
export function findData(account: ShardAccount, name: InterfaceName) {
	const contract = getContract(account);
	return contract && CONTRACTS[name].equals(contract.code) ? contract.data : undefined;
}
