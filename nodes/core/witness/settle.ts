import { checkUndone, judgeArrival, sumArrival } from '../chain/arrival';
import { hasPassed } from '../chain/clock';
import type { PaymentOutcome } from '../chain/ownPayment';
import type { PatientRestReader, RestReader } from '../chain/reader';
import { SHORT_SEARCH } from '../chain/sending';
import {
	buildNeverOutcome,
	buildUnknownOutcome,
	settle,
	type SettleTerms,
} from '../chain/settling';
import { signedTransactionParser } from '../chain/signedText';
import { tryParseJson } from '../values/json';
import { catching, InvalidValue, isRecord } from '../values/parse';
import { readHeads } from './blocks';
import { isOfChain } from './reference';
import { listMovedTokens } from './paidTokens';
import { parseBuiltTransaction } from './rawData';
import { isOnNode, sendTransaction } from './send';
import { findTokenFacts, findTokenTransfer } from './signedPayment';
import { parseSignedTransaction, type SignedTransaction } from './signedTransaction';
import { decodeTransaction } from './transaction';
import { NOT_IN_BLOCK, readFinality, readOutcomeInBlock, type Finality } from './wait';

/**
 * Parses a signed transaction, given as JSON or as text. Its JSON must match its bytes, which are what the chain
 * reads.
 */
export const parseSignedPayment = signedTransactionParser('witness', (given) => {
	const signed = parseSignedTransaction(given);
	const json = tryParseJson(signed.body);
	if (isRecord(json) && isReadable(json.raw_data_hex)) parseBuiltTransaction(json);
	return signed;
});

/**
 * Whether the bytes of a transaction can be decoded. Those of rare kinds cannot, but no payment that is prepared here
 * is of such a kind.
 */
function isReadable(hex: unknown): boolean {
	return !(catching(InvalidValue, () => decodeTransaction(hex)) instanceof InvalidValue);
}

interface Known extends Finality {
	/**
	 * The number of an irreversible block that is later than the payment's expiration. Set only if no block up to it
	 * has the payment.
	 */
	readonly expiredAt?: number;
}

/**
 * Sends a signed payment, and waits for its end. Either its block is irreversible, or an irreversible block is later
 * than its expiration and the chain does not have the payment.
 */
export async function settlePayment(
	reader: PatientRestReader,
	transaction: SignedTransaction,
	{ seconds, onSent }: SettleTerms,
): Promise<PaymentOutcome> {
	const { txID } = transaction;
	return await settle<Known>(reader, {
		seconds,
		onSent,
		getHash: () => txID,
		send: async () => await sendTransaction(reader, transaction, SHORT_SEARCH),
		initial: NOT_IN_BLOCK,
		read: async () => await readOn(reader, transaction),
		countCalls: () => CALLS_PER_READ,
		isDecided: (known) => known.isIrreversible || known.expiredAt !== undefined,
		isMissing: async () => !(await isKnown(reader, txID)),
		describe: ({ outcome }) =>
			outcome
				? `The transaction is in block ${outcome.blockNumber}, and not irreversible after ${seconds} s.`
				: `The transaction is in no irreversible block after ${seconds} s.`,
		formatOutcome: async (known) => await formatOutcome(reader, transaction, known),
	});
}

/**
 * Each look at a payment takes this many requests: for its outcome, for the newest blocks, and for pending
 * transactions.
 */
const CALLS_PER_READ = 3;

async function readOn(reader: RestReader, transaction: SignedTransaction): Promise<Known> {
	const { txID, expiration } = transaction;
	const finality = await readFinality(txID, reader);
	const mayHaveExpired = expiration !== undefined && hasPassed(Number(expiration));
	if (finality.outcome || !mayHaveExpired) return finality;
	// The latest irreversible block is read before the search for the transaction. If the transaction is then not
	// found, it is not in a block up to this one.
	const { irreversible } = await readHeads(reader);
	const isLater = irreversible !== null && BigInt(irreversible.timestamp) > expiration;
	if (!isLater || (await isKnown(reader, txID))) return finality;
	if (!(await isOfChain(reader, transaction, irreversible.number))) return finality;
	return { ...finality, expiredAt: irreversible.number };
}

/** Whether the node has the transaction, pending or in a block. */
async function isKnown(reader: RestReader, txID: string): Promise<boolean> {
	const [isThere, outcome] = await Promise.all([
		isOnNode(reader, txID),
		readOutcomeInBlock(txID, reader),
	]);
	return isThere || outcome !== undefined;
}

async function formatOutcome(
	reader: RestReader,
	transaction: SignedTransaction,
	{ outcome, info, expiredAt }: Known,
): Promise<PaymentOutcome> {
	const { txID } = transaction;
	if (expiredAt !== undefined) {
		return buildNeverOutcome(
			txID,
			`It has expired: up to block ${expiredAt}, which is irreversible and later than its expiration, it is not on the chain. It can never be carried out.`,
		);
	}
	if (!outcome || outcome.status === 'pending')
		return buildUnknownOutcome(txID, 'The chain node lost its outcome.');
	const { status, fee, blockNumber, timestamp, reason } = outcome;
	const end =
		status === 'failed'
			? judgeFailure(transaction, info, reason)
			: await judgeSuccess(reader, transaction, info);
	return { ...end, transactionHash: txID, fee, blockNumber, timestamp };
}

type End = Pick<PaymentOutcome, 'status' | 'reason'>;

function judgeFailure(transaction: SignedTransaction, info: unknown, reason: string | null): End {
	const transfer = findTokenTransfer(transaction);
	if (transfer) checkUndone(transfer, sumArrival(transfer, listMovedTokens(info)));
	return { status: 'failed', reason: `It is on the chain and failed: ${reason}.` };
}

/** Judges a payment whose transaction succeeded. Coins have then arrived. For tokens, their logs decide. */
async function judgeSuccess(
	reader: RestReader,
	transaction: SignedTransaction,
	info: unknown,
): Promise<End> {
	const transfer = findTokenTransfer(transaction);
	if (!transfer) return { status: 'confirmed', reason: null };
	return await judgeArrival(
		transfer.value,
		sumArrival(transfer, listMovedTokens(info)),
		async () => await findTokenFacts(reader, transfer.token),
	);
}
