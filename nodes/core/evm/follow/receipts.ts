import type { WatchedAccounts } from '../../accountKey/watchedAccounts';
import type { ChainView } from '../../chain/advance';
import type { LeastAmount } from '../../chain/payment';
import type { RpcReader } from '../../chain/reader';
import { isRecord } from '../../values/parse';
import type { JsonObject } from '../../values/json';
import { buildTransferFilters, decodeTransfer } from '../transfers';
import { createTransferFormatter } from './transferItems';
import { createLogView, type FormatLogs, type LiveView } from './views';

/** How many alternatives of a topic every node accepts. */
const MAX_TOPIC_ACCOUNTS = 100;

interface Receipts {
	readonly tokens: readonly string[];
	readonly accounts: WatchedAccounts;
	readonly least: LeastAmount;
	readonly reportDoubt: (block: number) => void;
}

/**
 * Follows the tokens that the accounts derived from a key receive, with a single search. If the accounts are many, it
 * reads all transfers of the tokens and picks those to the accounts.
 */
export function createReceiptView(reader: RpcReader, receipts: Receipts): ChainView {
	const { tokens, accounts, least, reportDoubt } = receipts;
	const createView = () =>
		createLogView(reader, {
			filters: buildTransferFilters({
				tokens,
				accounts:
					accounts.count > MAX_TOPIC_ACCOUNTS ? [] : accounts.list().map((one) => `0x${one}`),
				direction: 'to',
			}),
			isWanted: (log) => findReceiver(log, accounts) !== undefined && movesSomething(log),
			format: withDepositIndex(createTransferFormatter(least), accounts),
			isTimed: true,
			reportDoubt,
		});
	// Deriving the accounts takes time, so the view is created when something is first read.
	let view: LiveView | undefined;
	const getView = () => (view ??= createView());
	return {
		emitsRemovals: true,
		readBlockRef: async (number) => await getView().readBlockRef(number),
		readEvents: async (range, head) => await getView().readEvents(range, head),
	};
}

/** The zeros before an address in a topic: the address is in the last 20 bytes. */
const TOPIC_ZEROS = `0x${'0'.repeat(24)}`;

function findReceiver({ topics }: JsonObject, accounts: WatchedAccounts): number | undefined {
	const [, , receiver] = Array.isArray(topics) ? (topics as unknown[]) : [];
	const topic = String(receiver).toLowerCase();
	return topic.startsWith(TOPIC_ZEROS)
		? accounts.findIndex(topic.slice(TOPIC_ZEROS.length))
		: undefined;
}

/** Leaves out transfers of the amount 0, which anybody can make in the name of any account. */
function movesSomething(log: JsonObject): boolean {
	const transfer = decodeTransfer(log);
	return transfer !== undefined && transfer.value !== '0';
}

function withDepositIndex(format: FormatLogs, accounts: WatchedAccounts): FormatLogs {
	return async (logs, timeOf, reader) => {
		const items = await format(logs, timeOf, reader);
		return items.map((ofLog, at) => {
			const log = logs[at];
			const depositIndex = isRecord(log) ? findReceiver(log, accounts) : undefined;
			return ofLog.map((item) => ({ ...item, depositIndex }));
		});
	};
}
