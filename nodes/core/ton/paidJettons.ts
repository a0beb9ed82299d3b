import type { MadePayment } from '../chain/ownPayment';
import type { RestReader } from '../chain/reader';
import { readTransactions } from './accountTransactions';
import { formatTonAddresses, type TonAccount } from './address';
import { parseJettonTransfer, readComment, type JettonTransfer } from './bodies';
import { ReturnedTransfers } from './jettonHistory';
import { findJettonEvent } from './jettonTransfers';
import { listJettonWallets, type JettonWallet } from './tokens';
import { isSameAccount, type TonMessage } from './transactions';

/** A message of a wallet, and the transaction that sent it. */
export interface SentMessage extends TonMessage {
	readonly to: TonAccount;
	readonly transaction: Pick<MadePayment, 'hash' | 'time' | 'getSigned'>;
}

interface Wanted {
	readonly owner: TonAccount;
	readonly masters: readonly TonAccount[];
	/** In seconds. */
	readonly fromTime: number;
}

/** A message with which an owner asks a jetton wallet for a transfer. */
interface Order extends SentMessage {
	readonly transfer: JettonTransfer & { readonly to: TonAccount };
}

/**
 * Finds the messages with which an owner has paid in jettons. Messages that the owner's jetton wallets refused, or
 * whose jettons came back, are left out.
 */
export async function findPaidJettons(
	reader: RestReader,
	sent: readonly SentMessage[],
	{ owner, masters, fromTime }: Wanted,
): Promise<MadePayment[]> {
	const orders = sent.flatMap(parseOrder);
	if (orders.length === 0 || masters.length === 0) return [];
	const wallets = await listJettonWallets(reader, owner, masters);
	const found = wallets.map(async (wallet) => {
		const own = orders.filter(({ to }) => isSameAccount(to, wallet.account));
		const outcomes =
			own.length > 0 ? await readOutcomes(reader, wallet, fromTime) : new Map<string, boolean>();
		// A message without an outcome is still on its way to the jetton wallet, so it counts as a payment.
		return own
			.filter(({ hash }) => outcomes.get(hash) !== false)
			.map((one) => formatPayment(one, wallet));
	});
	return (await Promise.all(found)).flat();
}

function parseOrder(message: SentMessage): Order[] {
	const transfer = message.body && parseJettonTransfer(message.body);
	return transfer?.to ? [{ ...message, transfer: { ...transfer, to: transfer.to } }] : [];
}

/** At most this many transactions are read. If a jetton wallet has more, its newest transactions are read. */
const MAX_TRANSACTIONS = 1000;

/**
 * Reads what became of the messages to a jetton wallet, keyed by hash: true if it has sent jettons that did not come
 * back.
 */
async function readOutcomes(
	reader: RestReader,
	wallet: JettonWallet,
	fromTime: number,
): Promise<ReadonlyMap<string, boolean>> {
	const outcomes = new Map<string, boolean>();
	const returned = new ReturnedTransfers();
	const listed = readTransactions(reader, wallet.account, { fromTime }, MAX_TRANSACTIONS);
	for await (const { transaction } of listed) {
		const event = findJettonEvent(transaction, wallet);
		if (event?.kind === 'return') returned.add(event);
		const isSent = event?.kind === 'movement' && event.movement.direction === 'out';
		const isKept = isSent && !returned.take({ queryId: event.queryId, ...event.movement });
		if (transaction.incoming) outcomes.set(transaction.incoming.hash, isKept);
		if (outcomes.size === MAX_TRANSACTIONS) break;
	}
	return outcomes;
}

function formatPayment({ transfer, transaction }: Order, { master }: JettonWallet): MadePayment {
	const { comment } = readComment(transfer.forwardPayload);
	return {
		to: formatTonAddresses(transfer.to).raw,
		token: formatTonAddresses(master).raw,
		value: transfer.amount,
		comment: comment === '' ? null : comment,
		...transaction,
	};
}
