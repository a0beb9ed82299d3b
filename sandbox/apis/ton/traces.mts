import { type Cell, loadMessage } from '@ton/core';
import type { Row } from './ledger.mts';
import { getIncoming, listOutgoing } from './machine.mts';
import { type Query, takePage, throwUnreadable } from './parameters.mts';
import { formatCellHash } from './formats.mts';
import { formatTransaction } from './transactionJson.mts';
import { hasHash } from './transactions.mts';
import type { View } from './view.mts';

const KEYS = ['msg_hash', 'account', 'trace_id', 'tx_hash'];
const MAX_TRANSACTIONS = 4000;

export function listTraces({ rows }: View, query: Query): object {
	const asked = KEYS.filter((key) => query.list(key).length > 0);
	if (asked.length !== 1) throwUnreadable(`exactly one of ${KEYS.join(', ')} is required`);
	const page = query.page();
	const isAsked = createFilter(query);
	const traces = groupByTrace(rows).filter((trace) => trace.some(isAsked));
	if (!page.isAscending) traces.reverse();
	return { traces: takePage(traces, page).map(formatTrace) };
}

function groupByTrace(rows: readonly Row[]): readonly Row[][] {
	const traces = new Map<string, Row[]>();
	for (const row of rows) traces.set(row.traceId, [...(traces.get(row.traceId) ?? []), row]);
	return [...traces.values()];
}

function createFilter(query: Query): (row: Row) => boolean {
	const account = query.address('account');
	const trace = query.hash('trace_id');
	const transaction = query.hash('tx_hash');
	const message = query.hash('msg_hash');
	return (row) =>
		row.account === account ||
		row.traceId === trace ||
		row.hash === transaction ||
		(message !== undefined && listMessages(row).some((one) => hasHash(one, message)));
}

function listMessages({ transaction }: Row): readonly Cell[] {
	const incoming = getIncoming(transaction);
	return incoming ? [incoming, ...listOutgoing(transaction)] : listOutgoing(transaction);
}

function formatTrace(rows: readonly Row[]): object {
	const [first] = rows as readonly [Row];
	const last = rows.at(-1) ?? first;
	const tree = buildTree(rows, first);
	const isTooLong = rows.length > MAX_TRANSACTIONS;
	return {
		trace_id: first.traceId,
		external_hash: first.externalHash,
		mc_seqno_start: String(first.block),
		mc_seqno_end: String(last.block),
		start_lt: String(first.transaction.lt),
		start_utime: first.transaction.now,
		end_lt: String(last.transaction.lt),
		end_utime: last.transaction.now,
		trace_info: {
			trace_state: tree.pending > 0 ? 'pending' : 'complete',
			messages: tree.messages,
			transactions: rows.length,
			pending_messages: tree.pending,
			classification_state: 'ok',
		},
		is_incomplete: isTooLong,
		...(isTooLong && { warning: 'the trace has too many transactions' }),
		...(!isTooLong && {
			trace: tree.root,
			transactions_order: rows.map(({ hash }) => hash),
			transactions: Object.fromEntries(rows.map((row) => [row.hash, formatTransaction(row)])),
		}),
	};
}

interface Node {
	readonly tx_hash: string;
	readonly in_msg_hash: string | null;
	/**
	 * The transactions that follow from the messages of this transaction. It is null while all those messages are on
	 * their way.
	 */
	readonly children: readonly Node[] | null;
}

function buildTree(rows: readonly Row[], first: Row) {
	const byMessage = new Map(rows.map((row) => [getIncomingHash(row), row]));
	let [messages, pending] = [1, 0];
	const build = (row: Row): Node => {
		const sent = listOutgoing(row.transaction).filter(hasReceiver);
		const children = sent.flatMap((one) => byMessage.get(formatCellHash(one)) ?? []);
		messages += sent.length;
		pending += sent.length - children.length;
		const isPending = sent.length > 0 && children.length === 0;
		const in_msg_hash = getIncomingHash(row);
		return { tx_hash: row.hash, in_msg_hash, children: isPending ? null : children.map(build) };
	};
	const root = build(first);
	return { root, messages, pending };
}

const getIncomingHash = ({ transaction }: Row) => formatCellHash(getIncoming(transaction));

/** A log has no receiver. */
const hasReceiver = (message: Cell) => loadMessage(message.beginParse()).info.type === 'internal';
