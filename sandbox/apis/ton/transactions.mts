import { type Cell, loadMessage } from '@ton/core';
import type { Row } from './ledger.mts';
import { getIncoming, listOutgoing } from './machine.mts';
import { type Query, takePage, throwUnreadable } from './parameters.mts';
import { formatCellHash, formatOpcode } from './formats.mts';
import { computeNormalizedHash, formatTransaction } from './transactionJson.mts';
import type { View } from './view.mts';

export function listTransactions({ rows }: View, query: Query): object {
	const accounts = query.addresses('account');
	const hash = query.hash('hash');
	const lt = query.integer('lt');
	const block = query.integer('mc_seqno') ?? query.integer('seqno');
	const page = query.page();
	const isAsked = (row: Row) =>
		(accounts.length === 0 || accounts.includes(row.account)) &&
		(hash === undefined || row.hash === hash) &&
		(lt === undefined || row.transaction.lt === lt) &&
		(block === undefined || BigInt(row.block) === block);
	const found = sortRows(filterByRange(rows, query).filter(isAsked), query, page.isAscending);
	return { transactions: takePage(found, page).map(formatTransaction) };
}

/** Filters rows by their logical time and by their clock time. Both ranges include their ends. */
export function filterByRange(rows: readonly Row[], query: Query): readonly Row[] {
	const [startLt, endLt] = [query.integer('start_lt'), query.integer('end_lt')];
	const [startTime, endTime] = [query.integer('start_utime'), query.integer('end_utime')];
	return rows.filter(
		({ transaction: { lt, now } }) =>
			lt >= (startLt ?? lt) &&
			lt <= (endLt ?? lt) &&
			BigInt(now) >= (startTime ?? now) &&
			BigInt(now) <= (endTime ?? now),
	);
}

/** Sorts by logical time. If the request filters by clock time, that time decides first. */
export function sortRows(rows: readonly Row[], query: Query, isAscending: boolean): readonly Row[] {
	const isByTime = query.list('start_utime').length + query.list('end_utime').length > 0;
	const sorted = rows.toSorted(({ transaction: one }, { transaction: other }) => {
		if (isByTime && one.now !== other.now) return one.now - other.now;
		return one.lt < other.lt ? -1 : Number(one.lt > other.lt);
	});
	return isAscending ? sorted : sorted.reverse();
}

export function listTransactionsByMessage({ rows }: View, query: Query): object {
	const hash = query.hash('msg_hash');
	const bodyHash = query.hash('body_hash');
	const opcode = query.text('opcode')?.toLowerCase();
	const direction = query.choice('direction', 'in', 'out');
	const page = query.page();
	if (!hash && !bodyHash && !opcode) throwUnreadable('msg_hash, body_hash or opcode is required');
	const isAsked = (message: Cell) =>
		(hash === undefined || hasHash(message, hash)) && hasBody(message, bodyHash, opcode);
	const found = rows.filter(
		({ transaction }) =>
			(direction !== 'out' && [getIncoming(transaction) ?? []].flat().some(isAsked)) ||
			(direction !== 'in' && listOutgoing(transaction).some(isAsked)),
	);
	const sorted = sortRows(found, query, page.isAscending);
	return { transactions: takePage(sorted, page).map(formatTransaction) };
}

/**
 * The hashes of messages that were computed before. They are kept because each search compares all messages of the
 * chain.
 */
const knownHashes = new WeakMap<Cell, ReadonlyArray<string | null>>();

/** Returns whether a message has the hash. A message from outside has two hashes: its own and the normalized hash. */
export function hasHash(message: Cell, hash: string): boolean {
	const hashes = knownHashes.get(message) ?? listHashes(message);
	knownHashes.set(message, hashes);
	return hashes.includes(hash);
}

const listHashes = (message: Cell) => [
	formatCellHash(message),
	computeNormalizedHash(message) ?? null,
];

function hasBody(message: Cell, bodyHash: string | undefined, opcode: string | undefined): boolean {
	if (bodyHash === undefined && opcode === undefined) return true;
	const { body } = loadMessage(message.beginParse());
	return (
		(bodyHash === undefined || formatCellHash(body) === bodyHash) &&
		(opcode === undefined || formatOpcode(body) === opcode)
	);
}
