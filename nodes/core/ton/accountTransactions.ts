import type { RestReader } from '../chain/reader';
import { RequestFailure } from '../errors/requestFailure';
import { formatTonAddresses, type TonAccount } from './address';
import { MAX_PAGE_ROWS, parsePage, readApi, type Query } from './reader';
import { readTransaction, type TonTransaction } from './transactions';

/** A range of time in Unix seconds. Both ends are part of the range. */
export interface TimeRange {
	readonly fromTime?: number;
	readonly toTime?: number;
}

export interface ListedTransaction {
	readonly transaction: TonTransaction;
	/** The JSON of the transaction as the service gave it. */
	readonly json: unknown;
	readonly addressBook: unknown;
}

/** The last transaction that was read of an account. */
export interface AccountPosition {
	readonly lt: bigint;
	/** The hash is null if the account had no transaction. */
	readonly hash: string | null;
}

/**
 * The first transaction of an account names this hash as the hash of its previous transaction, even if the account
 * was deleted and created again.
 */
const NO_HASH = '0'.repeat(64);

/**
 * Reads the transactions of an account, the newest first. A page begins with the last transaction of the previous
 * page, so that new transactions do not shift the pages. Each transaction names the one before it, so that a gap
 * would be noticed.
 */
export async function* readTransactions(
	reader: RestReader,
	account: TonAccount,
	{ fromTime, toTime }: TimeRange,
	wanted = Infinity,
): AsyncGenerator<ListedTransaction> {
	const query = {
		start_utime: fromTime,
		end_utime: toTime,
		sort: 'desc',
		// Each page after the first begins with the last transaction of the previous page. So one transaction more is
		// asked for.
		limit: Math.min(wanted + 1, MAX_PAGE_ROWS),
	};
	let last: TonTransaction | undefined;
	for (;;) {
		const { rows, addressBook } = await readPage(reader, account, { ...query, end_lt: last?.lt });
		let isEmpty = true;
		for (const json of rows) {
			const transaction = readTransaction(json, account);
			if (transaction.hash === last?.hash) continue;
			if (last) requireBefore(last, transaction);
			last = transaction;
			isEmpty = false;
			yield { transaction, json, addressBook };
		}
		if (isEmpty || (rows.length < query.limit && last?.previousHash === NO_HASH)) return;
	}
}

/**
 * Reads the transactions of an account after a known transaction, the oldest first. The first page begins with the
 * known transaction, so that no later transaction can be missing. Throws TransactionMissing if the service does not
 * have it.
 */
export async function* readTransactionsAfter(
	reader: RestReader,
	account: TonAccount,
	position: AccountPosition,
): AsyncGenerator<ListedTransaction> {
	let last: Predecessor = position;
	for (;;) {
		const query = { start_lt: last.lt, sort: 'asc', limit: MAX_PAGE_ROWS };
		const { rows, addressBook } = await readPage(reader, account, query);
		let isKnown = last.hash === null;
		let isEmpty = true;
		for (const json of rows) {
			const transaction = readTransaction(json, account);
			if (transaction.hash === last.hash) {
				isKnown = true;
				last = transaction;
				continue;
			}
			if (!isKnown) throw new TransactionMissing(last);
			requireAfter(last, transaction);
			last = transaction;
			isEmpty = false;
			yield { transaction, json, addressBook };
		}
		if (!isKnown) throw new TransactionMissing(last);
		if (isEmpty || rows.length < MAX_PAGE_ROWS) return;
	}
}

/** The service no longer has a transaction that it had before. So the service is behind, or serves another chain. */
export class TransactionMissing extends RequestFailure {
	constructor({ hash }: AccountPosition) {
		super(`The service does not have the transaction ${hash} that it had before`, {
			description:
				'The service may lack the newest blocks of the chain. The trigger asks it again at the next poll.',
		});
	}
}

async function readPage(reader: RestReader, account: TonAccount, query: Query) {
	const { raw } = formatTonAddresses(account);
	const answer = await readApi(reader, 'transactions', { account: raw, ...query });
	return parsePage('the transactions of an account', 'transactions', answer);
}

/** The transaction that comes before another in the history of an account. A stored position has only some properties of a transaction. */
type Predecessor = AccountPosition & Partial<Pick<TonTransaction, 'leavesNoAccount'>>;

function requireBefore(last: TonTransaction, next: TonTransaction): void {
	if (next.lt >= last.lt) throw inconsistentError('lt', `below ${last.lt}`, String(next.lt));
	if (!isLinked(next, last))
		throw inconsistentError(
			'hash',
			`${last.previousHash}, which the one after it names`,
			next.hash,
		);
}

function requireAfter(last: Predecessor, next: TonTransaction): void {
	if (next.lt <= last.lt) throw inconsistentError('lt', `above ${last.lt}`, String(next.lt));
	if (isLinked(last, next)) return;
	const wanted =
		last.hash === null ? `${NO_HASH}, as none is before it` : `${last.hash}, the one before it`;
	throw inconsistentError('prev_trans_hash', wanted, String(next.previousHash));
}

function isLinked(
	{ hash, leavesNoAccount }: Predecessor,
	{ previousHash }: TonTransaction,
): boolean {
	if (previousHash === null || previousHash === hash) return true;
	return previousHash === NO_HASH && (hash === null || leavesNoAccount !== false);
}

function inconsistentError(field: string, wanted: string, given: string): RequestFailure {
	return new RequestFailure("The service's list of the account's transactions is incomplete", {
		description: `The ${field} of the next transaction must be ${wanted}; got ${given}. The service may be catching up with the chain. Run the workflow again in a moment.`,
	});
}
