import { COINS, formatPayment, type LeastAmount } from '../chain/payment';
import { RequestFailure } from '../errors/requestFailure';
import type { ListedTransaction } from './accountTransactions';
import type { TonAccount } from './address';
import { addressFormatter } from './addressBook';
import { formatSeconds } from './answer';
import type { FollowedAccount, TonEvent } from './accountNews';
import { findJettonFacts, listJettonWallets, type JettonWallet } from './tokens';
import { findJettonEvent, formatJettonTransfer, isJettonReceipt } from './jettonTransfers';
import { findByMessage } from './messageTree';
import type { RestReader } from '../chain/reader';
import {
	formatContent,
	hasArrived,
	isSameAccount,
	isTakenIn,
	type TonMessage,
	type TonTransaction,
} from './transactions';

interface WantedPayments {
	readonly addresses: readonly TonAccount[];
	readonly direction: 'any' | 'in' | 'out';
}

interface WantedCoins extends WantedPayments {
	/** The smallest amount, in nanocoins. */
	readonly minAmount: bigint;
}

export function followCoins(reader: RestReader, wanted: WantedCoins): readonly FollowedAccount[] {
	return wanted.addresses.map((account) => ({
		account,
		findEvents: async (listed) => {
			const format = coinsFormatter(listed, account);
			const received = findReceivedCoins(listed, wanted).map((one) => format('in', one));
			const sent = await findSentCoins(reader, listed, wanted);
			return sent && [...received, ...sent.map((one) => format('out', one))];
		},
	}));
}

function findReceivedCoins(
	{ transaction }: ListedTransaction,
	{ direction, minAmount }: WantedCoins,
): readonly TonMessage[] {
	const { incoming } = transaction;
	const isWanted =
		direction !== 'out' &&
		incoming?.from &&
		hasArrived(transaction) &&
		isEnough(incoming, minAmount);
	return isWanted ? [incoming] : [];
}

async function findSentCoins(
	reader: RestReader,
	{ transaction }: ListedTransaction,
	wanted: WantedCoins,
): Promise<readonly TonMessage[] | undefined> {
	if (wanted.direction === 'in') return [];
	const sent = transaction.outgoing.filter(
		(one) => one.to && isEnough(one, wanted.minAmount) && !isReportedByReceiver(one.to, wanted),
	);
	return await findArrived(reader, transaction, sent, hasArrived);
}

function isEnough({ amount }: TonMessage, minAmount: bigint): boolean {
	return amount > 0n && amount >= minAmount;
}

/**
 * Whether the receiver of a payment is watched, too, and reports it. The sender then does not report it, so that it is
 * reported only once.
 */
function isReportedByReceiver(to: TonAccount, { addresses, direction }: WantedPayments): boolean {
	return direction === 'any' && addresses.some((one) => isSameAccount(one, to));
}

/** Makes a function that formats coin payments. Addresses get the flag for test networks if the watched account's address has it. */
function coinsFormatter(
	{ transaction, addressBook }: ListedTransaction,
	{ isTestOnly }: TonAccount,
) {
	const { hash, lt, time } = transaction;
	const formatAddress = addressFormatter(addressBook, isTestOnly);
	return (direction: 'in' | 'out', message: TonMessage): TonEvent => {
		const { from, to, amount: value, isBounced: bounced } = message;
		const { comment, ...content } = formatContent(message);
		const payment = {
			chain: 'ton' as const,
			key: `${message.hash}:coins`,
			transactionHash: hash,
			timestamp: formatSeconds(time),
			from: from && formatAddress(from),
			to: to && formatAddress(to),
			token: null,
			facts: COINS.ton,
			value,
			comment,
		};
		const json = formatPayment(payment, { direction, ...content, bounced, lt: String(lt) });
		return { time, lt, json };
	};
}

/**
 * A message normally arrives within seconds, or within minutes on a busy chain. A longer delivery is reported as an
 * error.
 */
const MAX_DELIVERY_SECONDS = 3600;

/**
 * Finds the messages whose receivers keep what they got. Returns undefined while one of the messages is still on its
 * way.
 */
async function findArrived(
	reader: RestReader,
	transaction: TonTransaction,
	messages: readonly TonMessage[],
	isKept: (received: TonTransaction) => boolean,
): Promise<readonly TonMessage[] | undefined> {
	const received = await Promise.all(
		messages.map(async ({ hash }) => (await findByMessage(reader, hash))?.transaction),
	);
	if (received.includes(undefined)) return throwIfDeliveryIsLate(transaction);
	return messages.filter((_, index) => received[index] && isKept(received[index]));
}

function throwIfDeliveryIsLate({ hash, time }: TonTransaction): undefined {
	if (Date.now() / 1000 <= time + MAX_DELIVERY_SECONDS) return undefined;
	throw new RequestFailure(
		`The service does not show whether all messages of the transaction ${hash} have arrived`,
		{
			description: `The messages were sent at ${formatSeconds(time)}. The payments in them, and later payments of the same account, start the workflow as soon as the service shows the outcome.`,
		},
	);
}

interface WantedJettons extends WantedPayments {
	readonly jettons: readonly TonAccount[];
	/** Smaller payments are left out. */
	readonly least: LeastAmount;
}

/**
 * Follows the jetton wallets of the accounts, because only they prove which jettons an account received. Their addresses come from the
 * service or from the master contracts. The wallets are followed from the first poll on, even if they are still empty.
 */
export async function followJettons(
	reader: RestReader,
	wanted: WantedJettons,
): Promise<readonly FollowedAccount[]> {
	const { addresses, jettons: masters } = wanted;
	const lists = await Promise.all(
		addresses.map(async (owner) => await listJettonWallets(reader, owner, masters)),
	);
	return lists.flat().map((wallet) => ({
		account: wallet.account,
		findEvents: async (listed) => await findJettonPayments(reader, listed, wallet, wanted),
	}));
}

async function findJettonPayments(
	reader: RestReader,
	listed: ListedTransaction,
	wallet: JettonWallet,
	wanted: WantedJettons,
): Promise<readonly TonEvent[] | undefined> {
	const { transaction, addressBook } = listed;
	const event = findJettonEvent(transaction, wallet);
	if (event?.kind !== 'movement') return [];
	const { movement } = event;
	const isWanted = wanted.direction === 'any' || wanted.direction === movement.direction;
	if (!isWanted) return [];
	const { owner, master } = wallet;
	const facts = await findJettonFacts(reader, master);
	if (!wanted.least.isReached(movement.value, facts)) return [];
	if (movement.direction === 'out') {
		if (movement.to && isReportedByReceiver(movement.to, wanted)) return [];
		const sent = transaction.outgoing.filter(isJettonReceipt);
		const arrived = await findArrived(reader, transaction, sent, isTakenIn);
		if (!arrived) return undefined;
		if (arrived.length === 0) return [];
	}
	const formatAddress = addressFormatter(addressBook, owner.isTestOnly);
	const json = formatJettonTransfer(movement, facts, formatAddress);
	return [{ time: movement.time, lt: movement.lt, json }];
}
