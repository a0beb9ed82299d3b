import { findClockHint, hasPassed } from '../chain/clock';
import type { PaymentOutcome } from '../chain/ownPayment';
import type { PatientRestReader } from '../chain/reader';
import { buildNeverOutcome, settle, type SettleTerms } from '../chain/settling';
import { signedTransactionParser } from '../chain/signedText';
import { NANOCOIN_DECIMALS, formatUnits } from '../values/units';
import { readAccount, type AccountState } from './accounts';
import type { TonAccount } from './address';
import { formatSeconds } from './answer';
import { readServiceTime } from './accountNews';
import { findByMessage, formatFirstFailure, MessageTree } from './messageTree';
import { describeOther, isSamePayment } from './otherTransfer';
import { judgePayment } from './paymentEnd';
import { findJettonInfo } from './signedPayment';
import { sendMessage } from './send';
import { findSeqnoUses } from './seqnoUse';
import { guessWalletType } from './signedBody';
import { parseSignedMessage, readTransferPlace, type SignedMessage } from './signedTransfer';
import type { Cell } from './cell';
import type { TonTransaction } from './transactions';
import { sumFees } from './wait';

/** Parses a signed message from outside to a wallet. */
export const parseSignedPayment = signedTransactionParser('ton', parseSignedMessage);

/**
 * Sends a signed payment, and waits until all that it sets off is carried out. The payment has failed if it did not
 * arrive, or if another transfer of the wallet has its seqno. It has also failed if the chain's time is past its
 * expiry and the wallet still waits for its seqno.
 */
export async function settlePayment(
	reader: PatientRestReader,
	message: SignedMessage,
	{ seconds, onSent }: SettleTerms,
): Promise<PaymentOutcome> {
	const turnSeconds = Math.max(seconds, LEAST_TURN_SECONDS);
	return await settle<Known>(reader, {
		seconds,
		onSent,
		getHash: ({ tree }) => tree.root?.transaction.hash ?? null,
		send: async (isAgain) => await sendMessage(reader, message, { turnSeconds, isAgain }),
		initial: { ...buildTree(message.hash), looks: 0, isWhole: false },
		read: async (known) => await readOn(reader, message, known),
		isDecided: (known) => known.isWhole || known.end !== undefined,
		isMissing: async ({ tree }) => await Promise.resolve(!tree.root),
		describe: (known) => describe(known, seconds),
		findHint: ({ hint }) => hint,
		formatOutcome: async (known) => await formatOutcome(reader, message, known),
	});
}

/**
 * The transactions that a message has caused. The message is that of the payment itself, or of another transfer that made the same payment.
 */
interface KnownTree {
	readonly messageHash: string;
	readonly tree: MessageTree;
}

function buildTree(messageHash: string): KnownTree {
	return { messageHash, tree: new MessageTree(messageHash) };
}

/** The shortest time to wait for earlier transfers of the wallet, each of which takes some seconds. */
const LEAST_TURN_SECONDS = 60;

interface Known extends KnownTree {
	readonly looks: number;
	/** Whether all is carried out. */
	readonly isWhole: boolean;
	/** The reason why the transfer can never be carried out any more. */
	readonly end?: string;
	/** A hint for the case that the clock of the service differs much from n8n's clock. */
	readonly hint?: string;
}

/** Finding out whether the payment can no longer be made takes three more requests. So it is done only at each fifth look. */
const LOOKS_PER_SEARCH = 5;

async function readOn(
	reader: PatientRestReader,
	message: SignedMessage,
	before: Known,
): Promise<Known> {
	// If a message failed before the wallet stored its next seqno, the wallet may carry out the same message again. So
	// the transactions of this message are read anew.
	const { messageHash } = before;
	const tree = hasFailedItself(before.tree) ? new MessageTree(messageHash) : before.tree;
	const isWhole = (await tree.readOn(reader)) && !hasFailedItself(tree);
	const known = { messageHash, tree, looks: before.looks + 1, isWhole, hint: before.hint };
	const isSearched = before.looks % LOOKS_PER_SEARCH === 0;
	if (known.isWhole || !isSearched || (tree.root && !hasFailedItself(tree))) return known;
	return { ...known, ...(await findEnd(reader, message, tree)) };
}

function hasFailedItself({ root }: MessageTree): boolean {
	const phase = root?.transaction.outcome.failure?.phase;
	return phase === 'compute' || phase === 'action';
}

/** The masterchain and some servers of the service may be this much behind the account's own blocks. */
const EXPIRY_MARGIN_SECONDS = 60;

/**
 * The end of a payment whose own message was not carried out. It is the reason why it can never be, or another
 * message that makes the same payment.
 */
type End = Pick<Known, 'end'> | KnownTree;

/**
 * Finds why a message can no longer be carried out; undefined while it still can. The chain's time is read before the
 * search for the message. So a message that is not found had not been carried out by that time. It counts as expired
 * only if n8n's own clock agrees.
 */
async function findEnd(
	reader: PatientRestReader,
	message: SignedMessage,
	tree: MessageTree,
): Promise<Pick<Known, 'hint'> & Partial<End>> {
	const place = readTransferPlace(guessWalletType(message.body), message.body);
	if (!place) return {};
	const time = await readServiceTime(reader);
	const hint = findClockHint(time * 1000);
	const state = await readAccount(reader, message.to);
	const failure = formatFirstFailure(tree);
	if (state.seqno !== null && state.seqno > place.seqno)
		return { hint, ...(await findOtherUse(reader, message, place.seqno, failure)) };
	const isOver = time > place.validUntil + EXPIRY_MARGIN_SECONDS && isAccountOnChain(state);
	if (!isOver || !hasPassed(place.validUntil * 1000)) return { hint };
	if (failure !== null) return { hint, end: failure };
	const found = await findByMessage(reader, message.hash);
	return found
		? { hint }
		: {
				hint,
				end: `The transfer was valid until ${formatSeconds(place.validUntil)} and has expired: the chain is at ${formatSeconds(time)}, and the wallet did not get it. It can never be carried out.`,
			};
}

/** Whether the account exists on the chain of the service. An account that does not exist may be on another network. */
function isAccountOnChain({ walletType, status, balance }: AccountState): boolean {
	return walletType !== null || (status === 'uninitialized' && balance > 0n);
}

/**
 * Finds the transfer that used the sequence number (seqno) of a message, which proves that the message itself did not. If the other
 * transfer makes the same payment, its message is followed.
 */
async function findOtherUse(
	reader: PatientRestReader,
	{ to, body }: SignedMessage,
	seqno: number,
	failure: string | null,
): Promise<End | undefined> {
	const uses = await findSeqnoUses(reader, to, seqno);
	const isOwn = uses.some(({ incoming }) => incoming?.body?.hash.equals(body.hash));
	if (isOwn && failure === null) return undefined;
	const other = uses.find(
		(one) => hasTakenSeqno(one) && !one.incoming?.body?.hash.equals(body.hash),
	);
	const { incoming } = other ?? {};
	if (incoming?.body && isSamePayment(body, incoming.body)) return buildTree(incoming.hash);
	if (other)
		return {
			end: `Another transfer of the wallet came first, with the same number (seqno) ${seqno}: transaction ${other.hash}. ${describeUse(other, body)} This payment can never be carried out.`,
		};
	return isOwn && failure !== null ? { end: failure } : undefined;
}

/**
 * Whether a transaction has used a sequence number (seqno). It has also used the number if its message could not be paid for, and was left
 * out.
 */
function hasTakenSeqno({ outcome: { failure } }: TonTransaction): boolean {
	return failure === null || failure.phase === 'skippedAction';
}

function describeUse({ incoming, outcome }: TonTransaction, own: Cell): string {
	return outcome.failure === null
		? describeOther(incoming?.body, own)
		: 'That transfer sent nothing: its message could not be paid for, and was left out.';
}

function describe({ tree }: Known, seconds: number): string {
	const { root, transactions } = tree;
	const time = `after ${seconds} s`;
	if (!root) return `The message is not in a block ${time}.`;
	const reason = formatFirstFailure(tree);
	const failed = reason === null ? '' : ` One of them failed. ${reason}.`;
	return `The wallet has sent the transfer, but not all of it is carried out ${time}. Transactions of the transfer that are on the chain so far: ${transactions.length}.${failed}`;
}

async function formatOutcome(
	reader: PatientRestReader,
	{ to: wallet, body }: SignedMessage,
	{ tree, end }: Known,
): Promise<PaymentOutcome> {
	const { root, transactions } = tree;
	if (!root) return buildNeverOutcome(null, end ?? '');
	const { hash, masterBlock, time } = root.transaction;
	const readFacts = async (jettonWallet: TonAccount) =>
		await findJettonInfo(reader, jettonWallet, wallet);
	const judged =
		end === undefined
			? await judgePayment(tree, body, readFacts)
			: { status: 'failed' as const, reason: end };
	return {
		...judged,
		transactionHash: hash,
		fee: formatUnits(sumFees(transactions), NANOCOIN_DECIMALS),
		blockNumber: masterBlock,
		timestamp: formatSeconds(time),
	};
}
