import { checkUndone, judgeArrival, sumArrival, type TokenPayment } from '../chain/arrival';
import { signedTransactionParser } from '../chain/signedText';
import type { PaymentOutcome } from '../chain/ownPayment';
import type { Patience, RpcReader } from '../chain/reader';
import { undefinedIfFailed } from '../chain/sending';
import {
	buildNeverOutcome,
	buildUnknownOutcome,
	settle,
	type SettleTerms,
} from '../chain/settling';
import { parseUniqueJson, stringifyExactJson } from '../values/json';
import { isBlank, isRecord } from '../values/parse';
import { formatBlock, isIndex, findBlock } from './blocks';
import { encodeFelt, decodeShortString, formatFelt, tryParseFelt } from './felts';
import type { Acceptance } from './heads';
import { findAcceptedTransaction, type AcceptedTransaction } from './nonceUse';
import { describeOther, isSamePayment } from './otherTransaction';
import { readChainId } from './reader';
import { findRevertReason } from './reverts';
import { listMovedTokens } from './receiptTransfers';
import { sendInvoke } from './send';
import { computeInvokeHash, parseSentInvoke, type SentInvoke } from './sentInvoke';
import { findTokenFacts, findTokenTransfer } from './signedPayment';
import {
	formatFee,
	isTransactionKnown,
	readTransactionState,
	type TransactionState,
} from './transactions';
import { FEE_TOKEN } from './tokens';
import { CALLS_PER_READ, isFarEnough } from './wait';

/** A signed payment, as the operation Sign writes it. */
export interface SignedInvokePayment {
	readonly invoke: SentInvoke;
	/** The chain for which the payment is signed. Undefined if its JSON does not say so. */
	readonly chainId: bigint | undefined;
	readonly text: string;
}

/** Parses a signed transaction, as JSON or as its text. */
export const parseSignedPayment = signedTransactionParser('stark', (given): SignedInvokePayment => {
	const json = parseUniqueJson(given);
	return {
		invoke: parseSentInvoke(json),
		chainId: isRecord(json) ? tryParseFelt(json.chainId) : undefined,
		text: typeof given === 'string' ? given.trim() : stringifyExactJson(json),
	};
});

interface StarkTerms extends SettleTerms {
	readonly until: Acceptance;
}

interface Payment extends StarkTerms, SignedInvokePayment {
	readonly reader: RpcReader;
}

/** What was found out about a payment on the chain. */
interface Known {
	/** The hash of the payment's own transaction, or of another transaction that made the payment. */
	readonly hash: bigint | null;
	readonly state: TransactionState | null;
	readonly looks: number;
	/** Another transaction that was accepted with the same nonce. */
	readonly replacedBy?: AcceptedTransaction;
	/** The chain of the node, if it is not the chain for which the payment is signed. */
	readonly otherChain?: bigint;
}

const NOTHING_KNOWN: Known = { hash: null, state: null, looks: 0 };
/** The search for another transaction with the nonce takes many requests. So it is done only at each fifth look. */
const LOOKS_PER_SEARCH = 5;

/** Sends a signed payment, and waits until its outcome on the chain is certain. */
export async function settlePayment(
	context: Patience,
	reader: RpcReader,
	signed: SignedInvokePayment,
	terms: StarkTerms,
): Promise<PaymentOutcome> {
	const payment = { ...signed, ...terms, reader };
	// The transaction is sent before anything else is awaited, so that transactions of a run are sent in their order.
	const outcome = await settle<Known>(context, {
		seconds: terms.seconds,
		onSent: terms.onSent,
		getHash: ({ hash }) => (hash === null ? null : formatFelt(hash)),
		send: async () => await sendInvoke(context, reader, signed.invoke),
		initial: NOTHING_KNOWN,
		read: async (known) => await readOn(payment, known),
		countCalls: () => CALLS_PER_READ,
		isDecided: (known) => isDecided(payment, known),
		isMissing: async ({ hash }) => hash !== null && !(await isTransactionKnown(reader, hash)),
		describe: (known) => describe(payment, known),
		formatOutcome: async (known) => await formatOutcome(payment, known),
	});
	return { ...outcome, transactionHash: outcome.transactionHash ?? (await findOwnHash(payment)) };
}

/** Computes the hash of a payment on the chain for which it is signed. */
async function findOwnHash({ invoke, chainId }: Payment): Promise<string | null> {
	return chainId === undefined ? null : formatFelt(await computeInvokeHash(invoke, chainId));
}

/**
 * Looks for a payment. If the node serves another chain, the search ends, because the account has another nonce
 * there. A used nonce alone does not prove that the payment failed, because the node may be behind, or may not keep
 * old transactions. Only the transaction that used the nonce is proof. If it makes the same payment, the payment
 * counts as made.
 */
async function readOn({ reader, invoke, chainId, until }: Payment, before: Known): Promise<Known> {
	const id = await readChainId(reader);
	if (chainId !== undefined && id !== chainId) return { ...before, otherChain: id };
	const hash = before.hash ?? (await computeInvokeHash(invoke, id));
	const state = await readTransactionState(reader, hash);
	const known = { hash, state, looks: before.looks + 1 };
	const isMissing = state === null || state.status === 'rejected';
	const isSearched = before.looks % LOOKS_PER_SEARCH === 0 && chainId !== undefined;
	if (!isMissing || !isSearched) return known;
	const { sender, nonce } = invoke.hashed;
	const found = await findAcceptedTransaction(reader, { sender, nonce }).catch(undefinedIfFailed);
	if (!found || found.hash === hash) return known;
	if (isSamePayment(invoke, found.json))
		return { ...known, hash: found.hash, state: await readTransactionState(reader, found.hash) };
	return until === 'acceptedOnL2' || found.isOnL1 ? { ...known, replacedBy: found } : known;
}

/** Whether the outcome of a payment is certain. A rejected transaction has used no nonce and may be sent again. */
function isDecided({ until }: Payment, { state, replacedBy, otherChain }: Known): boolean {
	if (otherChain !== undefined || replacedBy) return true;
	return (
		state !== null &&
		state.status !== 'rejected' &&
		isFarEnough({ until }, state) &&
		// The receipt is needed to see which tokens have moved. After a revert it is not needed, because no tokens have
		// moved.
		(state.receipt !== null || getExecution(state) === 'REVERTED')
	);
}

function describe({ seconds, until, invoke }: Payment, { state }: Known): string {
	if (state && state.status !== 'rejected' && isFarEnough({ until }, state))
		return `The transaction is ${state.status}, and the chain node does not show its receipt after ${seconds} s.`;
	if (state && state.status !== 'rejected')
		return `The transaction is ${state.status} after ${seconds} s, and not ${until} yet.`;
	return `The chain node does not know the transaction of nonce ${invoke.nonce} after ${seconds} s.`;
}

async function formatOutcome(payment: Payment, known: Known): Promise<PaymentOutcome> {
	const { hash, state, otherChain, replacedBy } = known;
	const { invoke, chainId = 0n, reader } = payment;
	if (otherChain !== undefined) {
		const [own, other] = [chainId, otherChain].map((id) => decodeShortString(id) ?? encodeFelt(id));
		return buildUnknownOutcome(
			await findOwnHash(payment),
			`The transaction is for chain ${own}, and the chain node belongs to chain ${other}. Choose a chain node of chain ${own}.`,
		);
	}
	const transactionHash = hash === null ? null : formatFelt(hash);
	if (!state || state.status === 'rejected') {
		return buildNeverOutcome(
			transactionHash,
			`Another transaction came first, with the same number (nonce) ${invoke.nonce}: ${formatFelt(replacedBy?.hash ?? 0n)} in block ${replacedBy?.block}. ${describeOther(replacedBy?.json ?? {}, invoke)} This payment can never be carried out.`,
		);
	}
	const { receipt } = state;
	const execution = getExecution(state);
	if (execution !== 'SUCCEEDED' && execution !== 'REVERTED')
		return buildUnknownOutcome(
			transactionHash,
			'The transaction is in a block, and the chain node does not say whether it succeeded.',
		);
	const blockNumber = isIndex(receipt?.block_number) ? receipt.block_number : null;
	const end =
		execution === 'REVERTED' ? judgeRevert(payment, state) : await judgeSuccess(payment, receipt);
	return {
		...end,
		transactionHash,
		fee: formatFee(receipt?.actual_fee).fee,
		blockNumber,
		timestamp: await readTimestamp(reader, blockNumber),
	};
}

/**
 * Returns whether the transaction succeeded or reverted. Returns undefined if the node does not say so, or
 * contradicts itself.
 */
function getExecution({ receipt, stage }: TransactionState): unknown {
	const { execution_status: other } = stage;
	const said = receipt?.execution_status ?? other;
	return isBlank(other) || said === other ? said : undefined;
}

type End = Pick<PaymentOutcome, 'status' | 'reason'>;

function judgeRevert({ invoke }: Payment, state: TransactionState): End {
	const { receipt } = state;
	const transfer = findOwnTransfer(invoke);
	if (transfer && receipt) checkUndone(transfer, sumArrival(transfer, listMovedTokens(receipt)));
	return { status: 'failed', reason: formatRevert(state) };
}

function formatRevert({ receipt, stage }: TransactionState): string {
	const reason = findRevertReason(receipt?.revert_reason ?? stage.failure_reason);
	return `It is on the chain and reverted: ${reason ?? 'the chain node does not say why'}.`;
}

/**
 * Judges a payment whose transaction succeeded. A payment in the fee token has then arrived. For any other token, its
 * transfer events decide.
 */
async function judgeSuccess(
	{ reader, invoke }: Payment,
	receipt: TransactionState['receipt'],
): Promise<End> {
	const transfer = findOwnTransfer(invoke);
	if (!transfer) return { status: 'confirmed', reason: null };
	return await judgeArrival(
		transfer.value,
		sumArrival(transfer, listMovedTokens(receipt)),
		async () => await findTokenFacts(reader, transfer.token),
	);
}

/**
 * Finds the token transfer of a payment. Returns undefined for the fee token, because paying the fee moves this token,
 * too.
 */
function findOwnTransfer(invoke: SentInvoke): TokenPayment | undefined {
	const transfer = findTokenTransfer(invoke);
	return transfer?.token === formatFelt(FEE_TOKEN) ? undefined : transfer;
}

async function readTimestamp(
	reader: RpcReader,
	blockNumber: number | null,
): Promise<string | null> {
	if (blockNumber === null) return null;
	const id = { block_number: blockNumber };
	const block = await findBlock(reader, id).catch(undefinedIfFailed);
	return block ? formatBlock(block).timestamp : null;
}
