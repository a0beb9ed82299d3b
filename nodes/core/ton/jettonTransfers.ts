import type { TonAccount } from './address';
import { formatPayment } from '../chain/payment';
import type { JsonObject } from '../values/json';
import type { FormatAddress } from './addressBook';
import { formatSeconds } from './answer';
import {
	getOpcode,
	OPCODES,
	parseBouncedReceipt,
	parseJettonReceipt,
	parseJettonSending,
} from './bodies';
import type { Cell } from './cell';
import {
	formatComment,
	isSameAccount,
	isTakenIn,
	type TonMessage,
	type TonTransaction,
} from './transactions';

/** Jettons that an owner has received or sent. */
export interface JettonMovement {
	readonly direction: 'in' | 'out';
	readonly from: TonAccount | null;
	readonly to: TonAccount | null;
	/** The amount in the smallest unit of the jetton. */
	readonly value: bigint;
	readonly payload: Cell | null;
	/** The time is in Unix seconds. */
	readonly time: number;
	readonly hash: string;
	readonly lt: bigint;
	/**
	 * The hash of the message from the sender's jetton wallet to the receiver's. The payment has the same hash in the
	 * list of either owner.
	 */
	readonly messageHash: string;
}

/**
 * The effect of a jetton wallet's transaction: it moved jettons, or it took back jettons that could not be delivered.
 */
type JettonEvent =
	| { readonly kind: 'movement'; readonly queryId: bigint; readonly movement: JettonMovement }
	| { readonly kind: 'return'; readonly queryId: bigint; readonly value: bigint };

/** The owner of a jetton wallet, and the master of its jetton. */
interface JettonWallet {
	readonly owner: TonAccount;
	readonly master: TonAccount;
}

/**
 * Finds what a transaction of a jetton wallet did; undefined if it moved no jettons. Only the owner's own jetton
 * wallet proves what the owner received.
 */
export function findJettonEvent(
	transaction: TonTransaction,
	wallet: JettonWallet,
): JettonEvent | undefined {
	const body = transaction.incoming?.body;
	if (!body) return undefined;
	if (transaction.incoming?.isBounced) return findReturn(body);
	if (!isTakenIn(transaction)) return undefined;
	return findReceipt(transaction, body, wallet) ?? findSending(transaction, body, wallet);
}

function findReturn(body: Cell): JettonEvent | undefined {
	const found = parseBouncedReceipt(body);
	return found && { kind: 'return', queryId: found.queryId, value: found.amount };
}

/** Finds the jettons that a wallet received. Jettons from the master are newly minted, so they have no sender. */
function findReceipt(
	transaction: TonTransaction,
	body: Cell,
	{ owner, master }: JettonWallet,
): JettonEvent | undefined {
	const receipt = parseJettonReceipt(body);
	if (!receipt) return undefined;
	const source = transaction.incoming?.from;
	const isMinted = source ? isSameAccount(source, master) : false;
	const movement: JettonMovement = {
		direction: 'in',
		from: isMinted ? null : receipt.from,
		to: owner,
		value: receipt.amount,
		payload: receipt.forwardPayload,
		...getPosition(transaction),
		messageHash: transaction.incoming?.hash ?? transaction.hash,
	};
	return { kind: 'movement', queryId: receipt.queryId, movement };
}

function findSending(
	transaction: TonTransaction,
	body: Cell,
	{ owner }: JettonWallet,
): JettonEvent | undefined {
	const sending = parseJettonSending(body);
	if (!sending) return undefined;
	const movement: JettonMovement = {
		direction: 'out',
		from: owner,
		to: sending.to,
		value: sending.amount,
		payload: sending.forwardPayload,
		...getPosition(transaction),
		messageHash: findReceiptMessage(transaction, sending.amount)?.hash ?? transaction.hash,
	};
	return { kind: 'movement', queryId: sending.queryId, movement };
}

/**
 * Finds the message that brings the jettons to the receiver's wallet. If the jetton takes a share for others, the
 * wallet sends several messages.
 */
function findReceiptMessage({ outgoing }: TonTransaction, amount: bigint): TonMessage | undefined {
	const receipts = outgoing.filter(isJettonReceipt);
	const isWhole = ({ body }: TonMessage) => body && parseJettonReceipt(body)?.amount === amount;
	return receipts.find(isWhole) ?? receipts[0];
}

export function isJettonReceipt({ body }: TonMessage): boolean {
	return body !== null && getOpcode(body) === OPCODES.jettonReceipt;
}

function getPosition({ time, hash, lt }: TonTransaction) {
	return { time, hash, lt };
}

/** The facts that people need about a jetton. A fact is null if the jetton does not state it. */
export interface JettonFacts {
	readonly master: TonAccount;
	readonly symbol: string | null;
	readonly decimals: number | null;
}

/**
 * Formats a jetton transfer for an output item. Any jetton can choose any symbol, so only the address of its master
 * identifies it.
 */
export function formatJettonTransfer(
	movement: JettonMovement,
	facts: JettonFacts,
	formatAddress: FormatAddress,
): JsonObject {
	const { direction, from, to, value, payload, time, hash, lt, messageHash } = movement;
	const jetton = formatAddress(facts.master);
	const { comment, ...more } = formatComment(payload);
	const payment = {
		chain: 'ton' as const,
		key: `${messageHash}:jettons`,
		transactionHash: hash,
		timestamp: formatSeconds(time),
		from: from && formatAddress(from),
		to: to && formatAddress(to),
		token: jetton,
		facts,
		value,
		comment,
	};
	return formatPayment(payment, { direction, jetton, ...more, lt: String(lt) });
}
