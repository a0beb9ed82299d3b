import { RequestFailure, withAdvice } from '../errors/requestFailure';
import type { JsonObject } from '../values/json';
import { isBlank, isRecord, rethrow } from '../values/parse';
import type { PatientRpcReader, RpcCaller } from '../chain/reader';
import { undefinedIfFailed } from '../chain/sending';
import { waitUntil } from '../chain/waiting';
import { parseBlockNumber } from './blocks';
import { findMinedTransaction, isUsed, type MinedTransaction, type NonceUse } from './nonceUse';
import { objectOrNullParser, quantityToDecimal } from './chainObjects';
import { raise } from '../errors/raise';

/** The transaction to wait for, the wanted state, and the time limit. */
export interface Wanted {
	readonly hash: string;
	readonly confirmations: number;
	readonly seconds: number;
}

/** What is known of a transaction that is waited for. */
export interface Confirmation {
	readonly receipt: JsonObject | null;
	/** How many blocks confirm it. */
	readonly confirmations: number;
	/** The account and nonce of the transaction, once the node has given them. */
	readonly sent?: NonceUse;
	/** Whether a block had its nonce when it was last asked for. */
	readonly isNonceUsed?: boolean;
	/** Another transaction with the same nonce, which is in a block. */
	readonly replacedBy?: MinedTransaction;
}

/** A transaction that is confirmed, or that another transaction has replaced. */
type DecidedTransaction = Confirmation &
	({ readonly receipt: JsonObject } | { readonly replacedBy: MinedTransaction });

export const NOT_IN_BLOCK: Confirmation = { receipt: null, confirmations: 0 };

/** Waits until a transaction has enough confirmations, and returns its receipt. */
export async function waitForTransaction(
	reader: PatientRpcReader,
	wanted: Wanted,
): Promise<JsonObject> {
	const end = await waitUntil(reader, {
		seconds: wanted.seconds,
		initial: NOT_IN_BLOCK,
		read: async (known) => await readConfirmation(known, wanted, reader),
		isDone: (known): known is DecidedTransaction => isDecided(wanted, known),
		countCalls: (known) => countCalls(wanted, known),
	});
	if (!end.isDone) return await throwNotConfirmed(wanted, reader, end.known, end.failure);
	return end.known.receipt ?? raise(replacedError(end.known));
}

export function isDecided(
	wanted: Wanted,
	{ receipt, replacedBy, confirmations }: Confirmation,
): boolean {
	return replacedBy !== undefined || (receipt !== null && confirmations >= wanted.confirmations);
}

/** Counts the calls of a poll. Without a receipt, the second call asks whether another transaction has used the nonce. */
export function countCalls(wanted: Wanted, known: Confirmation): 1 | 2 {
	return known.receipt === null || isHeadAsked(wanted, known) ? 2 : 1;
}

/** Whether the number of the latest block is read. It matters only with a receipt, and for more than one confirmation. */
function isHeadAsked({ confirmations: wanted }: Wanted, { receipt }: Confirmation): boolean {
	return receipt !== null && wanted > 1;
}

function replacedError({ replacedBy, sent }: Confirmation): RequestFailure {
	const nonce = sent === undefined ? '' : ` ${sent.nonce}`;
	return new RequestFailure(
		`The transaction was replaced: ${replacedBy?.hash} has the same number (nonce)${nonce}, and is in block ${replacedBy?.block}`,
		{
			description:
				'An account has only one transaction with each number, so the replaced transaction will never be carried out. To get the outcome, wait for the hash of the other transaction.',
		},
	);
}

/** Reads the state of a transaction. A receipt may disappear again, if its block left the chain, or if the node is behind. */
export async function readConfirmation(
	known: Confirmation,
	wanted: Wanted,
	reader: RpcCaller,
): Promise<Confirmation> {
	const { hash } = wanted;
	const [found, head, replacement] = await Promise.all([
		callFresh(reader, 'eth_getTransactionReceipt', hash),
		isHeadAsked(wanted, known) ? callFresh(reader, 'eth_blockNumber') : undefined,
		known.receipt === null && known.sent ? readReplacement(known, hash, reader) : undefined,
	]);
	const receipt = objectOrNullParser('a receipt')(found);
	if (!receipt || isBlank(receipt.blockNumber))
		return { ...NOT_IN_BLOCK, ...(replacement ?? (await readSent(known, hash, reader))) };
	const block = parseBlockNumber(receipt.blockNumber);
	const after = head === undefined ? 0 : parseBlockNumber(head) - block;
	return { receipt, confirmations: after + 1 };
}

type Replacement = Pick<Confirmation, 'sent' | 'isNonceUsed' | 'replacedBy'>;

/** Reads the account and nonce of a transaction. A failure is ignored, because the next poll tries again. */
async function readSent(
	{ sent }: Confirmation,
	hash: string,
	reader: RpcCaller,
): Promise<Replacement> {
	if (sent) return { sent };
	const found = await callFresh(reader, 'eth_getTransactionByHash', hash).catch(undefinedIfFailed);
	return { sent: parseSent(found) };
}

/**
 * Reads whether another transaction has used the nonce, and ignores failures. The other transaction is searched for
 * only in the next poll, because the receipt of the awaited transaction may come until then.
 */
async function readReplacement(
	{ sent, isNonceUsed }: Confirmation,
	hash: string,
	reader: RpcCaller,
): Promise<Replacement> {
	if (!sent) return {};
	if (!isNonceUsed)
		return { sent, isNonceUsed: await isUsed(reader, sent, 'latest').catch(undefinedIfFailed) };
	const mined = await findMinedTransaction(reader, sent).catch(undefinedIfFailed);
	return mined && mined.hash.toLowerCase() !== hash.toLowerCase()
		? { sent, replacedBy: mined }
		: { sent };
}

function parseSent(found: unknown): NonceUse | undefined {
	if (!isRecord(found) || typeof found.from !== 'string') return undefined;
	const nonce = quantityToDecimal(found.nonce);
	return nonce === null ? undefined : { from: found.from, nonce: BigInt(nonce) };
}

async function callFresh(reader: RpcCaller, method: string, ...params: readonly string[]) {
	return await reader.call(method, params, { isFresh: true });
}

/** Throws an error that describes the last known state, because the time is over. */
async function throwNotConfirmed(
	wanted: Wanted,
	reader: RpcCaller,
	{ receipt, confirmations: got }: Confirmation,
	failure?: RequestFailure,
): Promise<never> {
	const time = `after ${wanted.seconds} s`;
	if (failure) throw withAdvice(failure, `The transaction was not confirmed ${time}.`);
	if (receipt) {
		throw new RequestFailure(
			`The transaction has ${got} of ${wanted.confirmations} confirmations ${time}`,
			{
				description: `The transaction is in block ${parseBlockNumber(receipt.blockNumber)}. 'Wait For' sets how long to wait.`,
			},
		);
	}
	throw new RequestFailure(`The transaction is not in a block ${time}`, {
		description: (await isUnknown(wanted, reader))
			? 'The chain node does not know it: it was not sent to this chain, or it was dropped or replaced. Send the same signed transaction again: one that is prepared anew may pay twice.'
			: "'Wait For' sets how long to wait.",
	});
}

async function isUnknown({ hash }: Wanted, reader: RpcCaller): Promise<boolean> {
	try {
		return (await callFresh(reader, 'eth_getTransactionByHash', hash)) === null;
	} catch (failure) {
		return failure instanceof RequestFailure ? false : rethrow(failure);
	}
}
