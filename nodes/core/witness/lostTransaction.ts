import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { createTimeoutSignal, unlessAborted } from '../net/pacing/stop';
import { isRecord, rethrow } from '../values/parse';
import { isNotServed, throwIfError } from './answers';
import { readHeads } from './blocks';
import type { RestCaller, RestReader } from '../chain/reader';
import type { SignedTransaction } from './signedTransaction';

/** A reader that can wait. */
export interface PatientReader extends RestReader {
	wait(milliseconds: number): Promise<void>;
}

/** Whether the node has a transaction: in a block, with its outcome or not yet, or waiting for one. */
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

/** It takes so long until blocks are irreversible, and some more. */
const IRREVERSIBLE_AFTER_MS = 90_000;
/** One that lives for longer is searched for a short time only. */
const MAX_SEARCH_MS = 180_000;
const SHORT_SEARCH_MS = 15_000;
/** Milliseconds between the look-ups; the last one is repeated. */
const SEARCH_PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];
const LAST_PAUSE_MS = 15_000;

/**
 * Looks up a transaction whose answer was lost, until it has expired. Returns true where it is found: it may be this
 * request that brought it, and may be another.
 */
export async function findLost(
	context: PatientReader,
	transaction: SignedTransaction,
	failure: RequestFailure,
): Promise<true> {
	const limit = computeSearchTime(transaction);
	const search = searchUntil(context, transaction, failure, limit);
	const isFound = await unlessAborted(search, createTimeoutSignal(limit));
	return isFound ?? rethrow(withAdvice(failure, formatDoubt(transaction)));
}

function computeSearchTime({ expiration }: SignedTransaction): number {
	if (expiration === undefined) return SHORT_SEARCH_MS;
	const left = expiration - BigInt(Date.now()) + BigInt(IRREVERSIBLE_AFTER_MS);
	if (left > BigInt(MAX_SEARCH_MS)) return SHORT_SEARCH_MS;
	return Math.max(Number(left), SHORT_SEARCH_MS);
}

/** Returns undefined where the time is over and nothing is certain. */
async function searchUntil(
	context: PatientReader,
	transaction: SignedTransaction,
	failure: RequestFailure,
	limit: number,
): Promise<true | undefined> {
	for (let waited = 0, look = 0; ; look++) {
		const found = await lookUp(context, transaction).catch(unsureIfFailed);
		if (found === 'there') return true;
		if (found !== 'unsure') return throwExpired(transaction, found.block, failure);
		if (waited >= limit) return undefined;
		const pause = SEARCH_PAUSES_MS[look] ?? LAST_PAUSE_MS;
		await context.wait(Math.min(pause, limit - waited));
		waited += pause;
	}
}

type Found = 'there' | 'unsure' | { readonly block: number };

/** The end of the chain is read first, so that what is not found afterwards is not before it. */
async function lookUp(
	context: PatientReader,
	{ txID, expiration }: SignedTransaction,
): Promise<Found> {
	const { irreversible } = expiration === undefined ? NOTHING_READ : await readHeads(context);
	if (await isOnNode(context, txID)) return 'there';
	const isOver =
		irreversible && expiration !== undefined && BigInt(irreversible.timestamp) > expiration;
	return isOver ? { block: irreversible.number } : 'unsure';
}

const NOTHING_READ = { irreversible: null };

function unsureIfFailed(failure: unknown): Found {
	return failure instanceof RequestFailure ? 'unsure' : rethrow(failure);
}

/** No later block can hold it, and none that stands for good does. */
function throwExpired({ txID }: SignedTransaction, block: number, lost: RequestFailure): never {
	throw new RequestFailure(`The transaction ${txID} has expired, and was not carried out`, {
		description: `The broadcast had no clear answer (${lost.message}). Up to block ${block}, which is irreversible and later than its expiration, it is not on the chain. Build it again, then sign and broadcast that.`,
	});
}

function formatDoubt({ txID, expiration }: SignedTransaction): string {
	const until = expiration === undefined ? undefined : formatTime(expiration);
	return `It was looked up, and not found yet. Its txID is ${txID}${until ? `; it expires at ${until}` : ''}.`;
}

const LATEST_DATE_MS = 8_640_000_000_000_000n;

function formatTime(milliseconds: bigint): string | undefined {
	return milliseconds <= LATEST_DATE_MS ? new Date(Number(milliseconds)).toISOString() : undefined;
}
