import { signedTransactionParser } from '../chain/signedText';
import type { PaymentOutcome } from '../chain/ownPayment';
import type { Patience, RpcReader } from '../chain/reader';
import { undefinedIfFailed } from '../chain/sending';
import { buildNeverOutcome, buildUnknownOutcome, settle } from '../chain/settling';
import { stringifyExactJson, parseJsonValue } from '../values/json';
import { isRecord } from '../values/parse';
import { formatBlock, isIndex, readBlock } from './blocks';
import { readNonce } from './contracts';
import { encodeFelt, decodeShortString, formatFelt, tryParseFelt } from './felts';
import { readChainId } from './reader';
import { findRevertReason } from './reverts';
import { sendInvoke } from './send';
import { computeInvokeHash, parseSentInvoke, type SentInvoke } from './sentInvoke';
import {
	formatFee,
	isTransactionKnown,
	readTransactionState,
	type TransactionState,
} from './transactions';
import { isFarEnough } from './wait';

/** A signed payment, as the signer gives it. */
export interface SignedInvokePayment {
	readonly invoke: SentInvoke;
	/** The chain that it is signed for; undefined where its JSON does not say. */
	readonly chainId: bigint | undefined;
	readonly text: string;
}

/** Parses a signed transaction, as JSON or as its text. */
export const parseSignedPayment = signedTransactionParser('stark', (given): SignedInvokePayment => {
	const json = parseJsonValue(given);
	return {
		invoke: parseSentInvoke(json),
		chainId: isRecord(json) ? tryParseFelt(json.chainId) : undefined,
		text: typeof given === 'string' ? given.trim() : stringifyExactJson(json),
	};
});

interface SettleTerms {
	readonly seconds: number;
	readonly until: 'acceptedOnL1' | 'acceptedOnL2';
	onSent?(): void;
}

interface Payment extends SettleTerms, SignedInvokePayment {
	readonly node: RpcReader;
}

/** What is known of a payment on the chain. */
interface Known {
	readonly hash: bigint | null;
	readonly state: TransactionState | null;
	/** How often in a row the account had used the nonce, and nobody knew the payment. */
	readonly timesBeaten: number;
	/** The chain of the node, where the payment is for another one. */
	readonly otherChain?: bigint;
}

const NOTHING_KNOWN: Known = { hash: null, state: null, timesBeaten: 0 };
const FRESH = { isFresh: true };
/** A node that answers for others may be behind them by some seconds; it is asked once a second. */
const TIMES_BEATEN = 10;
/** The chain's ID, the status, the receipt and the nonce. */
const CALLS_PER_READ = 4;

/** Sends a signed payment, and waits until the chain has decided. */
export async function settlePayment(
	context: Patience,
	node: RpcReader,
	signed: SignedInvokePayment,
	terms: SettleTerms,
): Promise<PaymentOutcome> {
	const payment = { ...signed, ...terms, node };
	return await settle<Known, Known>(context, {
		seconds: terms.seconds,
		onSent: terms.onSent,
		hash: await findOwnHash(payment),
		send: async () => await sendInvoke(context, node, signed.invoke),
		initial: NOTHING_KNOWN,
		read: async (known) => await readOn(payment, known),
		countCalls: () => CALLS_PER_READ,
		isDecided: (known): known is Known => isDecided(payment, known),
		isMissing: async ({ hash }) => hash !== null && !(await isTransactionKnown(node, hash)),
		describe: (known) => describe(payment, known),
		formatOutcome: async (known) => await formatOutcome(payment, known),
	});
}

/** The hash is that of the chain which the payment is signed for. */
async function findOwnHash({ invoke, chainId }: Payment): Promise<string | null> {
	return chainId === undefined ? null : formatFelt(await computeInvokeHash(invoke, chainId));
}

/** What a node of another chain says of the account's nonce is true there. */
async function readOn({ node, invoke, chainId }: Payment, before: Known): Promise<Known> {
	const id = await readChainId(node);
	if (chainId !== undefined && id !== chainId) return { ...before, otherChain: id };
	const hash = before.hash ?? (await computeInvokeHash(invoke, id));
	// In this order: a payment that is not known afterwards was not there before.
	const nonce = await readNonce(node, invoke.hashed.sender, 'latest', FRESH).catch(
		undefinedIfFailed,
	);
	const state = await readTransactionState(node, hash);
	const isMissing = state === null || state.status === 'rejected';
	const isBeaten = isMissing && chainId !== undefined && (nonce ?? 0n) > invoke.nonce;
	return { hash, state, timesBeaten: isBeaten ? before.timesBeaten + 1 : 0 };
}

/** One that was rejected has taken no nonce, and may be sent again. */
function isDecided({ until }: Payment, { state, timesBeaten, otherChain }: Known): boolean {
	if (otherChain !== undefined || timesBeaten >= TIMES_BEATEN) return true;
	return state !== null && state.status !== 'rejected' && isFarEnough({ until }, state);
}

function describe({ seconds, until, invoke }: Payment, { state }: Known): string {
	if (state && state.status !== 'rejected')
		return `The transaction is ${state.status} after ${seconds} s, and not ${until} yet.`;
	return `The node does not know the transaction after ${seconds} s. Its nonce is ${invoke.nonce}.`;
}

async function formatOutcome(payment: Payment, known: Known): Promise<PaymentOutcome> {
	const { hash, state, otherChain } = known;
	const { invoke, chainId = 0n, node } = payment;
	if (otherChain !== undefined) {
		const [own, other] = [chainId, otherChain].map((id) => decodeShortString(id) ?? encodeFelt(id));
		return buildUnknownOutcome(
			await findOwnHash(payment),
			`The transaction is for chain ${own}, and the node belongs to chain ${other}. Choose a node of chain ${own}.`,
		);
	}
	const transactionHash = hash === null ? null : formatFelt(hash);
	if (!state || state.status === 'rejected') {
		return buildNeverOutcome(
			transactionHash,
			`Another transaction of the account has its nonce ${invoke.nonce} and is in a block. This one can never be carried out.`,
		);
	}
	const { receipt, stage } = state;
	const hasFailed = (receipt?.execution_status ?? stage.execution_status) === 'REVERTED';
	const blockNumber = isIndex(receipt?.block_number) ? receipt.block_number : null;
	return {
		status: hasFailed ? 'failed' : 'confirmed',
		transactionHash,
		fee: formatFee(receipt?.actual_fee).fee,
		blockNumber,
		timestamp: await readTimestamp(node, blockNumber),
		reason: hasFailed
			? `It is on the chain and reverted: ${findRevertReason(receipt?.revert_reason ?? stage.failure_reason) ?? 'the node does not say why'}.`
			: null,
	};
}

async function readTimestamp(node: RpcReader, blockNumber: number | null): Promise<string | null> {
	if (blockNumber === null) return null;
	const id = { block_number: blockNumber };
	const block = await readBlock(node, id).catch(undefinedIfFailed);
	return block ? formatBlock(block).timestamp : null;
}
