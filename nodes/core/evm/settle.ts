import { checkUndone, judgeArrival, sumArrival, type TokenPayment } from '../chain/arrival';
import type { PaymentOutcome } from '../chain/ownPayment';
import type { PatientRpcReader } from '../chain/reader';
import { undefinedIfFailed } from '../chain/sending';
import { signedTransactionParser } from '../chain/signedText';
import {
	buildNeverOutcome,
	buildUnknownOutcome,
	settle,
	type SettleTerms,
} from '../chain/settling';
import { RequestFailure } from '../errors/requestFailure';
import { isContractFailure } from '../net/responses/reverts';
import type { JsonObject } from '../values/json';
import { numberToHex } from '../values/numbers';
import { rethrow } from '../values/parse';
import { parseBlockNumber, readChainId, readHeader } from './blocks';
import { findCarriedAuthorization } from './carriedAuthorization';
import { formatReceipt, quantityToIsoDate, quantityToNumber } from './chainObjects';
import { describeOther, isSamePayment, readPaymentEffects } from './otherTransaction';
import { checkReceipt, listMovedTokens, readReceipt } from './receipts';
import { findCarriedTransfer, findTokenFacts } from './signedPayment';
import { isOnNode, parseSignedTransaction, sendTransaction } from './send';
import { decodeSignedTransaction, type SignedTransaction } from './transactions/signed';
import { hashSignedTransaction } from './transactions/signedHash';
import { countCalls, isDecided, NOT_IN_BLOCK, readConfirmation, type Confirmation } from './wait';

/** Parses a signed transaction, and returns it as 0x-hex. */
export const parseSignedPayment = signedTransactionParser('evm', parseSignedTransaction);

interface EvmTerms extends SettleTerms {
	/** How many blocks must confirm the payment, or the transaction that took its place. */
	readonly confirmations: number;
	/** The account whose signature it bears; null where the signature is of nobody. */
	readonly from: string | null;
}

/**
 * Sends a signed payment, given as 0x-hex, and waits for the outcome. A payment has failed if it reverted, or if another
 * transaction used its nonce without paying the same.
 */
export async function settlePayment(
	reader: PatientRpcReader,
	signed: string,
	terms: EvmTerms,
): Promise<PaymentOutcome> {
	const transaction = decodeSignedTransaction(signed);
	const payment = { reader, transaction, hash: hashSignedTransaction(signed), ...terms };
	// Nothing is awaited before the payment is sent, so the payments of a run are sent in their order.
	return await settle<Known>(reader, {
		seconds: terms.seconds,
		getHash: () => getOwnHash(payment),
		onSent: terms.onSent,
		send: async () => await sendTransaction(reader, signed),
		initial: { ...NOT_IN_BLOCK, sent: findNonceUse(payment) },
		read: async (known) => await readOn(payment, known),
		countCalls: (known) => countCalls(payment, known),
		isDecided: (known) => known.otherChain !== undefined || isDecided(payment, known),
		isMissing: async ({ receipt }) => !receipt && !(await isOnNode(reader, payment.hash)),
		describe: (known) => describe(payment, known),
		formatOutcome: async (known) => await formatOutcome(payment, known),
	});
}

interface Payment extends EvmTerms {
	readonly reader: PatientRpcReader;
	/** Undefined if the type of the transaction is not supported. */
	readonly transaction: SignedTransaction | undefined;
	readonly hash: string;
}

interface Known extends Confirmation {
	/** The chain ID of the node, if the transaction is for another chain. */
	readonly otherChain?: bigint;
}

/** Returns the hash of a payment; null for an unsupported type of transaction, whose hash may be computed differently. */
function getOwnHash({ transaction, hash }: Payment): string | null {
	return transaction ? hash : null;
}

function findNonceUse({ transaction, from }: Payment): Known['sent'] {
	return transaction && from !== null ? { from, nonce: transaction.nonce } : undefined;
}

/**
 * Reads the state of a payment. Another transaction with the same nonce counts as the payment if it pays the same, is on
 * the same chain, and has enough confirmations.
 */
async function readOn(payment: Payment, before: Known): Promise<Known> {
	const { reader, transaction, hash, confirmations } = payment;
	const id = await readChainId(reader).catch(undefinedIfFailed);
	const isNamed = id !== undefined && transaction?.chainId !== undefined;
	if (isNamed && id !== transaction.chainId) return { ...before, otherChain: id };
	const known = { sent: before.sent, ...(await readConfirmation(before, payment, reader)) };
	const { receipt, replacedBy } = known;
	if (receipt) checkReceipt(receipt, hash);
	if (!replacedBy) return known;
	const waiting = { ...known, replacedBy: undefined, isNonceUsed: true };
	if (!isNamed) return waiting;
	const head = parseBlockNumber(await reader.call('eth_blockNumber', [], { isFresh: true }));
	const depth = head - replacedBy.block + 1;
	if (depth < confirmations) return waiting;
	const other = readPaymentEffects(replacedBy.json);
	if (!other || !isSamePayment(transaction, other)) return known;
	const carried = await readReceipt(reader, replacedBy.hash);
	return carried ? { ...waiting, receipt: carried, confirmations: depth } : waiting;
}

function describe(
	{ confirmations: wanted, seconds, transaction }: Payment,
	{ receipt, confirmations }: Known,
): string {
	const time = `after ${seconds} s`;
	if (receipt)
		return `The transaction is in block ${parseBlockNumber(receipt.blockNumber)} with ${confirmations} of ${wanted} confirmations ${time}.`;
	const nonce = transaction ? ` of nonce ${transaction.nonce}` : '';
	return `The transaction${nonce} is not in a block ${time}.`;
}

async function formatOutcome(payment: Payment, known: Known): Promise<PaymentOutcome> {
	const { reader, transaction } = payment;
	const { replacedBy, sent, otherChain } = known;
	const receipt = known.receipt && (await findDeciding(payment, known.receipt));
	if (otherChain !== undefined) {
		return buildUnknownOutcome(
			getOwnHash(payment),
			`The transaction is for chain ${transaction?.chainId}, and the chain node belongs to chain ${otherChain}. Choose a chain node of chain ${transaction?.chainId}.`,
		);
	}
	if (!receipt) {
		const other = replacedBy && readPaymentEffects(replacedBy.json);
		return buildNeverOutcome(
			payment.hash,
			`Another transaction came first, with the same number (nonce) ${sent?.nonce}: ${replacedBy?.hash} in block ${replacedBy?.block}. ${describeOther(other, transaction)} This payment can never be carried out.`,
		);
	}
	const hash = String(receipt.transactionHash).toLowerCase();
	const { blockNumber, feeCoins: fee = null } = formatReceipt(receipt);
	const status = quantityToNumber(receipt.status);
	if (status !== 0 && status !== 1)
		return buildUnknownOutcome(
			hash,
			`The transaction is in block ${String(blockNumber)}, and its receipt does not say whether it succeeded.`,
		);
	const [header, end] = await Promise.all([
		readHeader(reader, Number(blockNumber)).catch(undefinedIfFailed),
		status === 0 ? judgeRevert(payment, receipt) : judgeSuccess(payment, receipt),
	]);
	return {
		...end,
		transactionHash: hash,
		fee: fee === null ? null : String(fee),
		blockNumber: Number(blockNumber),
		timestamp: quantityToIsoDate(header?.json.timestamp),
	};
}

type End = Pick<PaymentOutcome, 'status' | 'reason'>;

/**
 * Finds the receipt that decides on the payment. Anyone who sees an authorization can carry it out, so it may be the
 * receipt of another transaction.
 */
async function findDeciding(
	{ reader, transaction }: Payment,
	receipt: JsonObject,
): Promise<JsonObject> {
	if (!transaction || quantityToNumber(receipt.status) !== 0) return receipt;
	const block = parseBlockNumber(receipt.blockNumber);
	const other = await findCarriedAuthorization(reader, transaction, block).catch(undefinedIfFailed);
	return other ?? receipt;
}

/**
 * Judges a payment whose transaction succeeded. Coins have then arrived. For tokens, the logs of the receipt show how
 * much arrived.
 */
async function judgeSuccess(payment: Payment, receipt: JsonObject): Promise<End> {
	const transfer = findTransfer(payment, receipt);
	if (!transfer) return { status: 'confirmed', reason: null };
	const arrival = sumArrival(transfer, listMovedTokens(receipt));
	return await judgeArrival(
		transfer.value,
		arrival,
		async () => await findTokenFacts(payment.reader, transfer.token),
	);
}

function findTransfer(
	{ transaction, from }: Payment,
	receipt: JsonObject,
): TokenPayment | undefined {
	const account = String(from ?? receipt.from).toLowerCase();
	return transaction && findCarriedTransfer(transaction, account);
}

async function judgeRevert(payment: Payment, receipt: JsonObject): Promise<End> {
	const { logs = [] } = receipt;
	const transfer = findTransfer(payment, receipt);
	if (transfer) checkUndone(transfer, sumArrival(transfer, listMovedTokens({ ...receipt, logs })));
	return { status: 'failed', reason: await readRevertReason(payment, receipt) };
}

const UNKNOWN_REVERT = 'It is on the chain and reverted; the chain node does not say why.';

/** Reads why a transaction reverted, by the same call after its block. It usually fails for the same reason. */
async function readRevertReason(
	{ reader, transaction, from }: Payment,
	receipt: JsonObject,
): Promise<string> {
	if (!transaction) return UNKNOWN_REVERT;
	const { to, value, data, gas } = transaction;
	const call = {
		...(from !== null && { from }),
		...(to !== undefined && { to }),
		value: numberToHex(value),
		data,
		gas: numberToHex(gas),
	};
	const block = numberToHex(parseBlockNumber(receipt.blockNumber));
	const words = await reader.call('eth_call', [call, block]).then(() => undefined, getRevertWords);
	return words === undefined ? UNKNOWN_REVERT : `It is on the chain and reverted: ${words}`;
}

function getRevertWords(failure: unknown): string | undefined {
	if (!(failure instanceof RequestFailure)) return rethrow(failure);
	return isContractFailure(failure) ? failure.message : undefined;
}
