import type { ShardAccount } from '@ton/core';
import type { Row, TonLedger } from './ledger.mts';
import type { TonChain, TonLag } from './chainState.mts';

/** The part of the chain that the answer to a request is based on. */
export interface View {
	readonly rows: readonly Row[];
	readonly ledger: TonLedger;
}

type ViewKind = 'index' | 'accounts';

/**
 * Returns the chain as one request sees it. The lag is drawn anew for each request, as if the service had several
 * instances.
 */
export function takeView(state: TonChain, ledger: TonLedger, kind: ViewKind): View {
	const lag = state.settings[kind];
	const isLate = lag.transactions + lag.seconds > 0 && nextRandom(state) < lag.share;
	return { rows: isLate ? dropLatest(ledger, lag) : ledger.rows, ledger };
}

function dropLatest({ rows, now }: TonLedger, { transactions, seconds }: TonLag): readonly Row[] {
	const seen = rows.slice(0, Math.max(0, rows.length - transactions));
	return seconds === 0 ? seen : seen.filter((row) => row.transaction.now <= now - seconds);
}

/** Returns a number that looks random and that is the same for the same seed and the same count of requests. */
function nextRandom(state: TonChain): number {
	state.questions += 1;
	let mixed = Math.imul(state.settings.seed * 1_000_003 + state.questions, 0x9e37_79b1);
	mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b);
	return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

export interface SeenAccount {
	/** The addresses are raw. */
	readonly address: string;
	readonly state: ShardAccount;
	readonly row: Row;
}

/** Finds an account. Returns undefined for an account that the view never saw. */
export function findAccount({ rows, ledger }: View, address: string): SeenAccount | undefined {
	const row = rows.findLast(({ account }) => account === address);
	return row && { address, row, state: getState({ rows, ledger }, row) };
}

/**
 * Returns the state of an account. A view without lag also shows changes that the control server made without a
 * transaction.
 */
function getState({ rows, ledger }: View, row: Row): ShardAccount {
	const isCurrent = rows.length === ledger.rows.length;
	return (isCurrent && ledger.changed.get(row.account)) || row.after;
}

/** Lists all accounts in the order of their first transactions. */
export function listAccounts(view: View): readonly SeenAccount[] {
	const latest = new Map(view.rows.map((row) => [row.account, row]));
	return [...latest].map(([address, row]) => ({ address, row, state: getState(view, row) }));
}

/** Returns the code and the data of an active account, or undefined. */
export function getContract({ account }: ShardAccount) {
	const state = account?.storage.state;
	if (state?.type !== 'active' || !state.state.code || !state.state.data) return undefined;
	return { code: state.state.code, data: state.state.data };
}
