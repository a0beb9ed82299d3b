import { hasPassed } from '../chain/clock';
import type { PatientRestReader, RestCaller, RestReader } from '../chain/reader';
import { sendOnce, type Search, type Sent, type PostAnswer } from '../chain/sending';
import { RequestFailure } from '../errors/requestFailure';
import { shortenMessage, invalidResponseError } from '../net/responses/response';
import { formatExcerpt } from '../values/excerpt';
import { isOutcomeOpen } from '../net/responses/rpcErrors';
import { isBlank, isRecord, rethrow } from '../values/parse';
import { decodeChainMessage, isNotServed, throwIfError, throwIfException } from './answers';
import { readHeads } from './blocks';
import type { SignedTransaction } from './signedTransaction';

/**
 * Sends a signed transaction at most once. If the answer is lost, the chain is searched for the transaction. By
 * default, the search lasts until the transaction has expired.
 */
export async function sendTransaction(
	reader: PatientRestReader,
	transaction: SignedTransaction,
	search?: Search,
): Promise<Sent> {
	return await sendOnce(reader, {
		noun: 'transaction',
		hashOf: () => transaction.txID,
		post: async () => await post(reader, transaction),
		isBusy: (failure) => BUSY_CODES.includes(getCode(failure)),
		// A gateway may have lost the node's answer. It then reports this with status 200 and without a code.
		isOpen: (refusal) => getCode(refusal) === undefined && isOutcomeOpen(refusal.message),
		searchRefused: (refusal) =>
			LATE_CODES.includes(getCode(refusal)) ? { pauseMs: 0, isUsual: true } : undefined,
		find: async (txID) => await isOnNode(reader, txID),
		limitSearch: () => search ?? limitSearch(transaction),
		readEnd: async (lost) => await readEnd(reader, transaction, lost),
		formatAdvice: (failure, txID) =>
			failure.maybeExecuted
				? formatDoubt(transaction)
				: `${getCodeAdvice(failure)}Its txID is ${txID}.`,
	});
}

async function post({ call }: RestCaller, { body, txID }: SignedTransaction): Promise<PostAnswer> {
	const request = { path: '/wallet/broadcasttransaction', body, atMostOnce: true };
	const json = await call(request);
	const answer = throwIfException(json);
	if (!isRecord(answer)) throw invalidResponseError('the outcome of the broadcast', json);
	// Only `result: true` means success. A refusal may have no `result` at all.
	const { result, code, message, txid: named } = answer;
	if (result === true) return { named, wasKnown: false };
	if (code === 'DUP_TRANSACTION_ERROR')
		return isNamed(named, txID) ? rethrow(UNFOUND_DUPLICATE) : { named, wasKnown: true };
	if ((code ?? message) !== undefined) throw broadcastRefusedError(answer);
	throw invalidResponseError('the outcome of the broadcast', json);
}

/**
 * A node may claim to have a transaction that it has refused, because it remembers each ID for an hour. So the node
 * is asked for the transaction itself.
 */
const UNFOUND_DUPLICATE = new RequestFailure(
	'The chain node says that it has the transaction already, but cannot find it: the outcome is not known',
	{ maybeExecuted: true },
);

/** Whether an answer is about this transaction. Some nodes do not repeat the ID. */
function isNamed(named: unknown, txID: string): boolean {
	return isBlank(named) || String(named).toLowerCase() === txID;
}

/** A node that answers with one of these codes could not accept the transaction at that moment. */
const BUSY_CODES: readonly unknown[] = [
	'SERVER_BUSY',
	'NO_CONNECTION',
	'NOT_ENOUGH_EFFECTIVE_CONNECTION',
	'BLOCK_UNSOLIDIFIED',
];
/** A node that answers with one of these codes may have accepted the transaction. */
const UNSURE_CODES = ['NOT_ENOUGH_EFFECTIVE_CONNECTION', 'OTHER_ERROR'];
/**
 * With these codes, a node may refuse a transaction that was carried out long ago, because nodes check the time
 * first.
 */
const LATE_CODES: readonly unknown[] = ['TRANSACTION_EXPIRATION_ERROR', 'TAPOS_ERROR'];

const CODE_ADVICE: Readonly<Record<string, string>> = {
	SIGERROR: 'Sign with the key of the owner, and change nothing afterwards.',
	TAPOS_ERROR: 'Build the transaction again, then sign and broadcast it.',
	TRANSACTION_EXPIRATION_ERROR:
		'A transaction expires after a minute: build it again, then sign and broadcast it at once.',
};

function broadcastRefusedError({ code, message }: Record<string, unknown>): RequestFailure {
	const kind = typeof code === 'string' ? shortenMessage(code) : formatExcerpt(code ?? 'unknown');
	const words =
		typeof message === 'string' ? shortenMessage(decodeChainMessage(message).trim()) : '';
	return new RequestFailure(words || `The chain node did not accept the transaction: ${kind}`, {
		description: `The broadcast failed with code ${kind}.`,
		maybeExecuted: UNSURE_CODES.includes(kind),
		answer: { code: kind },
	});
}

function getCodeAdvice(failure: RequestFailure): string {
	const code = String(getCode(failure));
	return Object.hasOwn(CODE_ADVICE, code) ? `${CODE_ADVICE[code]} ` : '';
}

function getCode({ answer }: RequestFailure): unknown {
	return isRecord(answer) ? answer.code : undefined;
}

/** Whether the node has a transaction, pending or in a block. A transaction in a block may not have an outcome yet. */
export async function isOnNode({ call }: RestCaller, txID: string): Promise<boolean> {
	const ask = async (method: string) =>
		throwIfError(await call({ path: `/wallet/${method}`, body: { value: txID } }));
	const found = await Promise.all([
		ask('gettransactionfrompending').catch((failure) =>
			isNotServed(failure) ? {} : rethrow(failure),
		),
		ask('gettransactionbyid'),
	]);
	return found.some((one) => isRecord(one) && String(one.txID).toLowerCase() === txID);
}

/** The time until a block is irreversible, with some reserve. */
const IRREVERSIBLE_AFTER_MS = 90_000;
/** If a transaction stays valid for longer than this, the search for it is short. */
const MAX_SEARCH_MS = 180_000;
const SHORT_SEARCH_MS = 15_000;
const LOOK_UPS_MS = 15_000;

function limitSearch({ expiration }: SignedTransaction): Search {
	const left = (expiration ?? 0n) - BigInt(Date.now()) + BigInt(IRREVERSIBLE_AFTER_MS);
	const isLong = left > BigInt(MAX_SEARCH_MS);
	const pauseMs = isLong ? SHORT_SEARCH_MS : Math.max(Number(left), SHORT_SEARCH_MS);
	return { pauseMs, limitMs: pauseMs + LOOK_UPS_MS };
}

/**
 * Finds out whether a lost transaction has expired. If an irreversible block is later than the expiration, no later
 * block can contain the transaction.
 */
async function readEnd(
	reader: RestReader,
	{ txID, expiration }: SignedTransaction,
	lost: RequestFailure,
): Promise<RequestFailure | undefined> {
	if (expiration === undefined || !hasPassed(Number(expiration))) return undefined;
	const { irreversible } = await readHeads(reader);
	if (!irreversible || BigInt(irreversible.timestamp) <= expiration) return undefined;
	return new RequestFailure(`The transaction ${txID} has expired, and was not carried out`, {
		description: `The broadcast had no clear answer (${lost.message}). No block up to ${irreversible.number} has the transaction. This block is final (irreversible), and later than the transaction's expiration. Build the transaction again, then sign and broadcast the new one.`,
	});
}

function formatDoubt({ txID, expiration }: SignedTransaction): string {
	const until = expiration === undefined ? undefined : formatTime(expiration);
	return `The transaction was looked up, and not found yet. Its txID is ${txID}${until ? `; it expires at ${until}` : ''}.`;
}

const LATEST_DATE_MS = 8_640_000_000_000_000n;

function formatTime(milliseconds: bigint): string | undefined {
	return milliseconds <= LATEST_DATE_MS ? new Date(Number(milliseconds)).toISOString() : undefined;
}
