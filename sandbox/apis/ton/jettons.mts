import { type Address, type Cell, loadMessage, type Slice } from '@ton/core';
import {
	CODES,
	type Content,
	getJettonWalletAddress,
	OPCODES,
	parseContent,
} from './contracts.mts';
import { findData } from './interfaces.mts';
import type { Row } from './ledger.mts';
import { getIncoming } from './machine.mts';
import { isAsked, type Query, takePage, throwUnreadable } from './parameters.mts';
import { formatAddress, formatCell, formatCellHash, formatRaw } from './formats.mts';
import { decodeComment } from './transactionJson.mts';
import { filterByRange, sortRows } from './transactions.mts';
import { findAccount, listAccounts, type SeenAccount, type View } from './view.mts';

export interface JettonMaster {
	readonly supply: bigint;
	readonly admin: Address | null;
	readonly content: Content;
}

/** Reads the master contract of a jetton. Returns undefined for every other account. */
export function readJettonMaster({ state }: SeenAccount): JettonMaster | undefined {
	const data = findData(state, 'jetton_master')?.beginParse();
	if (!data) return undefined;
	const supply = data.loadCoins();
	return { supply, admin: data.loadMaybeAddress(), content: parseContent(data.loadRef()) };
}

export function listJettonMasters(view: View, query: Query): object {
	const addresses = query.addresses('address');
	const admins = query.addresses('admin_address');
	const page = query.page();
	const masters = listAccounts(view).flatMap((seen) => {
		const master = readJettonMaster(seen);
		return master &&
			isAsked(seen.address, addresses) &&
			isAsked(master.admin?.toRawString(), admins)
			? formatMaster(seen, master)
			: [];
	});
	return { jetton_masters: takePage(masters, page) };
}

const formatMaster = (seen: SeenAccount, { supply, admin, content }: JettonMaster) => ({
	address: formatRaw(seen.address),
	total_supply: String(supply),
	mintable: true,
	admin_address: formatAddress(admin),
	jetton_content: content,
	jetton_wallet_code_hash: formatCellHash(CODES.jettonWallet),
	...formatHashes(seen, 'jetton_master'),
});

function formatHashes({ state, row }: SeenAccount, name: 'jetton_master' | 'jetton_wallet') {
	return {
		code_hash: formatCellHash(name === 'jetton_master' ? CODES.jettonMaster : CODES.jettonWallet),
		data_hash: formatCellHash(findData(state, name)),
		last_transaction_lt: String(row.transaction.lt),
	};
}

interface JettonWallet {
	readonly balance: bigint;
	readonly owner: Address;
	readonly master: Address;
}

function readJettonWallet(state: SeenAccount['state']): JettonWallet | undefined {
	const data = findData(state, 'jetton_wallet')?.beginParse();
	return (
		data && { balance: data.loadCoins(), owner: data.loadAddress(), master: data.loadAddress() }
	);
}

/** Lists the jetton wallets that their master contract confirms. */
export function listJettonWallets(view: View, query: Query): object {
	const addresses = query.addresses('address');
	const owners = query.addresses('owner_address');
	const masters = query.addresses('jetton_address');
	const withoutZero = query.flag('exclude_zero_balance', false);
	const sort = query.choice('sort', 'asc', 'desc');
	const page = query.page();
	if (masters.length > 1 && owners.length !== 1) {
		throwUnreadable('several jetton_address need exactly one owner_address');
	}
	const found = listAccounts(view).flatMap((seen) => {
		const wallet = readJettonWallet(seen.state);
		const isWanted =
			wallet &&
			isAsked(seen.address, addresses) &&
			isAsked(wallet.owner.toRawString(), owners) &&
			isAsked(wallet.master.toRawString(), masters) &&
			!(withoutZero && wallet.balance === 0n) &&
			isConfirmed(view, seen, wallet);
		return isWanted ? [{ seen, wallet }] : [];
	});
	const rank = sort === 'asc' ? 1 : -1;
	if (sort) found.sort((one, other) => rank * Number(one.wallet.balance - other.wallet.balance));
	return {
		jetton_wallets: takePage(found, page).map(({ seen, wallet }) => ({
			address: formatRaw(seen.address),
			balance: String(wallet.balance),
			owner: formatAddress(wallet.owner),
			jetton: formatAddress(wallet.master),
			...formatHashes(seen, 'jetton_wallet'),
		})),
	};
}

function isConfirmed(view: View, { address }: SeenAccount, { owner, master }: JettonWallet) {
	const seen = findAccount(view, master.toRawString());
	return (
		seen !== undefined &&
		readJettonMaster(seen) !== undefined &&
		getJettonWalletAddress(master, owner).toRawString() === address
	);
}

interface Attempt {
	readonly row: Row;
	readonly wallet: JettonWallet;
	readonly transfer: Transfer;
}

interface Transfer {
	readonly queryId: bigint;
	readonly amount: bigint;
	readonly destination: Address | null;
	readonly response: Address | null;
	readonly customPayload: Cell | null;
	readonly forward: bigint;
	readonly payload: Cell | null;
}

/**
 * Lists every transfer that the wallet of the sender carried out, even if the transfer failed at the wallet of the
 * receiver.
 */
export function listJettonTransfers({ rows }: View, query: Query): object {
	const owners = query.addresses('owner_address');
	const wallets = query.addresses('jetton_wallet');
	const masters = query.addresses('jetton_master');
	const direction = query.choice('direction', 'in', 'out');
	const page = query.page();
	const attempts = sortRows(filterByRange(rows, query), query, page.isAscending).flatMap(
		(row) => findAttempt(row) ?? [],
	);
	const found = attempts.filter(
		({ row, wallet, transfer }) =>
			isAsked(row.account, wallets) &&
			isAsked(wallet.master.toRawString(), masters) &&
			((direction !== 'in' && isAsked(wallet.owner.toRawString(), owners)) ||
				(direction !== 'out' && isAsked(transfer.destination?.toRawString(), owners))),
	);
	return { jetton_transfers: takePage(found, page).map(formatAttempt) };
}

function findAttempt(row: Row): Attempt | undefined {
	const wallet = readJettonWallet(row.after);
	const incoming = getIncoming(row.transaction);
	if (!wallet || !incoming || !hasComputed(row)) return undefined;
	const { info, body } = loadMessage(incoming.beginParse());
	const isRequest = info.type === 'internal' && !info.bounced;
	const transfer = isRequest ? parseTransfer(body) : undefined;
	return transfer && { row, wallet, transfer };
}

function hasComputed({ transaction: { description } }: Row): boolean {
	return description.type === 'generic' && description.computePhase.type === 'vm';
}

function parseTransfer(body: Cell): Transfer | undefined {
	const slice = body.beginParse(true);
	if (slice.remainingBits < 32 || slice.loadUint(32) !== OPCODES.jettonTransfer) return undefined;
	try {
		return {
			queryId: slice.loadUintBig(64),
			amount: slice.loadCoins(),
			destination: slice.loadMaybeAddress(),
			response: slice.loadMaybeAddress(),
			customPayload: slice.loadMaybeRef(),
			forward: slice.loadCoins(),
			payload: loadPayload(slice),
		};
	} catch {
		return undefined;
	}
}

/** Loads the payload of a transfer. A payload within the message is copied into a cell of its own. */
function loadPayload(slice: Slice): Cell | null {
	if (slice.remainingBits === 0) return null;
	if (slice.loadBit()) return slice.loadRef();
	return slice.remainingBits + slice.remainingRefs === 0 ? null : slice.asCell();
}

function formatAttempt({ row, wallet, transfer }: Attempt): object {
	const { transaction, hash, account, traceId } = row;
	return {
		query_id: String(transfer.queryId),
		source: formatAddress(wallet.owner),
		destination: formatAddress(transfer.destination),
		amount: String(transfer.amount),
		source_wallet: formatRaw(account),
		jetton_master: formatAddress(wallet.master),
		transaction_hash: hash,
		transaction_lt: String(transaction.lt),
		transaction_now: transaction.now,
		transaction_aborted:
			transaction.description.type === 'generic' && transaction.description.aborted,
		response_destination: formatAddress(transfer.response),
		custom_payload: formatCell(transfer.customPayload),
		decoded_custom_payload: null,
		forward_ton_amount: String(transfer.forward),
		forward_payload: formatCell(transfer.payload),
		decoded_forward_payload: transfer.payload && decodeComment(transfer.payload),
		trace_id: traceId,
	};
}
