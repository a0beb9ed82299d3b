import type { ShardAccount } from '@ton/core';
import { findInterfaces } from './interfaces.mts';
import { ApiError, throwMissing, throwUnreadable, type Query } from './parameters.mts';
import {
	formatBytes,
	formatCell,
	formatCellHash,
	formatNumberHash,
	formatRaw,
} from './formats.mts';
import { findAccount, getContract, type SeenAccount, type View } from './view.mts';
import { readWallet, type WalletFacts } from './wallets.mts';

const NO_HASH = formatBytes(Buffer.alloc(32));
const MAX_ADDRESSES = 1000;

interface WalletInformation extends Partial<Omit<WalletFacts, 'is_signature_allowed'>> {
	readonly balance: string;
	readonly last_transaction_lt: string;
	readonly last_transaction_hash: string;
	readonly status: string;
}

export function getWalletInformation(view: View, query: Query): WalletInformation {
	const seen = findAccount(view, query.requireAddress('address'));
	if (!seen) return UNKNOWN;
	const wallet = readWallet(seen.state);
	if (getContract(seen.state) && !wallet) throw new ApiError(409, 'not a wallet');
	const { is_signature_allowed: _, ...facts } = wallet ?? {};
	return { ...describe(seen), ...facts };
}

const UNKNOWN = {
	balance: '0',
	last_transaction_lt: '0',
	last_transaction_hash: NO_HASH,
	status: 'uninit',
};

export function getAddressInformation(view: View, query: Query) {
	const seen = findAccount(view, query.requireAddress('address'));
	if (!seen) return { ...UNKNOWN, code: null, data: null, frozen_hash: null };
	const contract = getContract(seen.state);
	return {
		...describe(seen),
		code: formatCell(contract?.code),
		data: formatCell(contract?.data),
		frozen_hash: getFrozenHash(seen.state),
	};
}

export function listWalletStates(view: View, query: Query): object {
	const wallets = listSeen(view, query).map((seen) => {
		const wallet = readWallet(seen.state);
		const codeHash = formatCellHash(getContract(seen.state)?.code);
		return {
			address: formatRaw(seen.address),
			is_wallet: wallet !== undefined,
			...describe(seen),
			...wallet,
			...(codeHash && { code_hash: codeHash }),
		};
	});
	return { wallets };
}

export function listAccountStates(view: View, query: Query): object {
	const hasBags = query.flag('include_boc', true);
	return { accounts: listSeen(view, query).map((seen) => formatState(seen, hasBags)) };
}

function formatState(seen: SeenAccount, hasBags: boolean): object {
	const contract = getContract(seen.state);
	const frozenHash = getFrozenHash(seen.state);
	return {
		address: formatRaw(seen.address),
		account_state_hash: formatBytes(seen.row.transaction.stateUpdate.newHash),
		...describe(seen),
		extra_currencies: {},
		...(frozenHash && { frozen_hash: frozenHash }),
		...(contract && {
			data_hash: formatCellHash(contract.data),
			code_hash: formatCellHash(contract.code),
		}),
		...(contract &&
			hasBags && { data_boc: formatCell(contract.data), code_boc: formatCell(contract.code) }),
		contract_methods: null,
		interfaces: findInterfaces(seen.state),
	};
}

/** Lists the accounts of a request in the order of their addresses. It leaves out accounts that the chain never saw. */
function listSeen(view: View, query: Query): readonly SeenAccount[] {
	const addresses = new Set(query.addresses('address'));
	if (addresses.size === 0) throwMissing('address');
	if (addresses.size > MAX_ADDRESSES) {
		throwUnreadable(`limit is not allowed: ${addresses.size} > ${MAX_ADDRESSES}`);
	}
	return [...addresses].sort().flatMap((address) => findAccount(view, address) ?? []);
}

function describe({ state, row }: SeenAccount) {
	return {
		balance: String(state.account?.storage.balance.coins ?? 0n),
		last_transaction_lt: String(row.transaction.lt),
		last_transaction_hash: row.hash,
		status: state.account?.storage.state.type ?? 'nonexist',
	};
}

function getFrozenHash({ account }: ShardAccount): string | null {
	const state = account?.storage.state;
	return state?.type === 'frozen' ? formatNumberHash(state.stateHash) : null;
}
