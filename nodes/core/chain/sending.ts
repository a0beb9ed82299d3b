import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { SerialQueue } from '../net/pacing/concurrency';
import { createTimeoutSignal, unlessAborted } from '../net/pacing/stop';
import { isOutcomeOpen } from '../net/responses/rpcErrors';
import { formatExcerpt } from '../values/excerpt';
import { rethrow } from '../values/parse';
import type { Patience } from './reader';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

/** The answer of a node that accepted a transaction. */
export interface PostAnswer {
	/** The hash in the node's answer, unchanged. Some nodes return none. */
	readonly named?: unknown;
	/** Whether the node already had the transaction. */
	readonly wasKnown: boolean;
}

/** The functions with which a family of chains sends a signed transaction. */
export interface Sending {
	/**
	 * The name of a queue. Transactions in a queue are sent one after another, each after the outcome of the previous
	 * one. Without a name, all transactions share a queue.
	 */
	readonly queue?: string;
	readonly noun: 'transaction' | 'message';
	/** The hash of the transaction, computed from its bytes. */
	hashOf(): string | Promise<string>;
	/**
	 * Waits until the transaction may be sent. Returns true if the chain already has it. A failure means that nothing
	 * was sent.
	 */
	prepare?(hash: string): Promise<boolean>;
	post(hash: string): Promise<PostAnswer>;
	/**
	 * Returns the hash under which the transaction can be found, if the node's hash is right; undefined if it belongs
	 * to another transaction.
	 */
	matchHash?(named: unknown, hash: string): string | undefined;
	/** Whether the node was too busy to accept the transaction, so that the same bytes should be sent again. */
	isBusy?(failure: RequestFailure): boolean;
	/** Whether the transaction may still be carried out although the node refused it. By default, the message decides. */
	isOpen?(refusal: RequestFailure): boolean;
	/** Says how to search for a refused transaction that the chain may still have; undefined for no search. */
	searchRefused?(refusal: RequestFailure): RefusedSearch | undefined;
	/** Whether the chain has the transaction. Throws if the chain cannot be asked. */
	find(hash: string): Promise<boolean>;
	/** How long to search for the transaction after a lost answer, if not for the default time. */
	limitSearch?(): Search;
	/**
	 * Reads, before the look-up, whether the transaction can still reach the chain. If it cannot, returns the failure
	 * to throw when the transaction is not found.
	 */
	readEnd?(lost: RequestFailure): Promise<RequestFailure | undefined>;
	/** Formats advice for the user, with the hash of the transaction. */
	formatAdvice(failure: RequestFailure, hash: string): string;
}

export interface Search {
	/** The total of the pauses between look-ups, in milliseconds. */
	readonly pauseMs: number;
	/** The time limit of the search, including the look-ups, in milliseconds. */
	readonly limitMs: number;
}

interface RefusedSearch {
	/** The total of the pauses between look-ups. The node that answers them may lag behind the node that refused. */
	readonly pauseMs: number;
	/**
	 * Whether nodes also refuse transactions that the chain already has. If so, the refusal is uncertain until a
	 * look-up is answered.
	 */
	readonly isUsual: boolean;
}

/**
 * The limits of a short search, for callers that wait for the transaction afterwards, and then send it again if
 * needed.
 */
export const SHORT_SEARCH: Search = { pauseMs: 3_000, limitMs: 15_000 };

const DEFAULT_SEARCH: Search = { pauseMs: 14_500, limitMs: 15_000 };

export interface Sent {
	readonly hash: string;
	/**
	 * False only if a node accepted the transaction from this request. Among several runs that send the same
	 * transaction, at most one gets false.
	 */
	readonly wasKnown: boolean;
}

const SENDING_QUEUES = sharedKey('chain.sendingQueues', () => new Map<string, SerialQueue>());

/**
 * Sends a signed transaction, which is carried out at most once. If the answer is lost, the transaction is looked up by
 * its hash. If it is found, `wasKnown` is true, because another request may have sent it.
 */
export async function sendOnce(context: Patience, sending: Sending): Promise<Sent> {
	const queues = context.shared(SENDING_QUEUES);
	const { queue: name = '' } = sending;
	const queue = queues.get(name) ?? new SerialQueue();
	queues.set(name, queue);
	return await queue.run(async () => await send(context, sending, await sending.hashOf()));
}

async function send(context: Patience, sending: Sending, hash: string): Promise<Sent> {
	if (await sending.prepare?.(hash)) return { hash, wasKnown: true };
	const taken = await postPatiently(context, sending, hash).catch(asFailure);
	if (taken instanceof RequestFailure) {
		const missing = await findMissing(context, sending, hash, taken);
		if (!missing) return { hash, wasKnown: true };
		throw withAdvice(missing, sending.formatAdvice(missing, hash));
	}
	const { matchHash = matchText } = sending;
	const { named, wasKnown } = taken;
	if (named === undefined || named === null) return { hash, wasKnown };
	return { hash: matchHash(named, hash) ?? raise(otherHashError(sending, named, hash)), wasKnown };
}

/** Returns a failure of the service. Throws everything else, such as the error of a stopped execution. */
export function asFailure(failure: unknown): RequestFailure {
	return failure instanceof RequestFailure ? failure : rethrow(failure);
}

/** The pauses in milliseconds before a transaction is sent again to a busy node. */
const RESEND_PAUSES_MS = [1_000, 2_000, 4_000];

/**
 * Sends a transaction, and sends it again while the node is busy. A chain carries out the same bytes only once, so a
 * repetition does no harm.
 */
async function postPatiently(
	context: Patience,
	sending: Sending,
	hash: string,
): Promise<PostAnswer> {
	let maybeExecuted = false;
	for (let attempt = 0; ; attempt++) {
		const taken = await sending.post(hash).catch(asFailure);
		if (!(taken instanceof RequestFailure)) return taken;
		maybeExecuted ||= taken.maybeExecuted || isOpen(sending, taken);
		const pause = sending.isBusy?.(taken) ? RESEND_PAUSES_MS[attempt] : undefined;
		if (pause === undefined) throw new RequestFailure(taken.message, { ...taken, maybeExecuted });
		await context.wait(pause);
	}
}

function isOpen(sending: Sending, refusal: RequestFailure): boolean {
	return sending.isOpen?.(refusal) ?? isOutcomeOpen(refusal.message);
}

function matchText(named: unknown, hash: string): string | undefined {
	return typeof named === 'string' && named.toLowerCase() === hash ? hash : undefined;
}

/** The error for a node that returns the hash of another transaction. */
function otherHashError({ noun }: Sending, named: unknown, hash: string): RequestFailure {
	return new RequestFailure(
		`The chain node says that it accepted another ${noun}: ${formatExcerpt(named)} instead of ${hash}`,
		{
			description: `The chain node accepted a ${noun} with another hash. Yours may still be on its way. Look up both hashes, also at another chain node.`,
			maybeExecuted: true,
		},
	);
}

/**
 * Looks for the transaction on the chain after a failure. Returns the failure if it is not there. Throws if it can no
 * longer reach the chain.
 */
async function findMissing(
	context: Patience,
	sending: Sending,
	hash: string,
	failure: RequestFailure,
): Promise<RequestFailure | undefined> {
	if (!failure.maybeExecuted) return await findRefused(context, sending, hash, failure);
	const lookUp = async () => await lookUpLost(sending, hash, failure);
	const { pauseMs, limitMs } = sending.limitSearch?.() ?? DEFAULT_SEARCH;
	// The caller should see the failure of sending, so a failed look-up counts as not found.
	const search = searchFor(context, lookUp, pauseMs).catch(undefinedIfFailed);
	const found = await unlessAborted(search, createTimeoutSignal(limitMs));
	if (found instanceof RequestFailure) return rethrow(found);
	return found === 'there' ? undefined : failure;
}

/**
 * Looks for a refused transaction on the chain, and returns the refusal if it is not there. If the look-up fails, the
 * refusal says that the transaction may be carried out.
 */
async function findRefused(
	context: Patience,
	sending: Sending,
	hash: string,
	refusal: RequestFailure,
): Promise<RequestFailure | undefined> {
	const wanted = sending.searchRefused?.(refusal);
	if (!wanted) return refusal;
	const find = async () => (await sending.find(hash)) || undefined;
	const found = await searchFor(context, find, wanted.pauseMs).catch(asFailure);
	if (found === true) return undefined;
	return found instanceof RequestFailure && wanted.isUsual
		? new RequestFailure(refusal.message, { ...refusal, maybeExecuted: true })
		: refusal;
}

/**
 * Looks up a transaction whose answer was lost. The expiry is read before the look-up, because the transaction could
 * arrive in between.
 */
async function lookUpLost(
	sending: Sending,
	hash: string,
	lost: RequestFailure,
): Promise<'there' | RequestFailure | undefined> {
	const end = await sending.readEnd?.(lost).catch(undefinedIfFailed);
	return (await sending.find(hash)) ? 'there' : end;
}

/** Returns undefined if the service fails, for requests whose result is optional. Other errors are thrown. */
export function undefinedIfFailed(failure: unknown): undefined {
	return failure instanceof RequestFailure ? undefined : rethrow(failure);
}

/** The first pauses between look-ups, in milliseconds. Each later pause lasts `LAST_PAUSE_MS`. */
const SEARCH_PAUSES_MS = [1_000, 2_000, 4_000, 8_000];
const LAST_PAUSE_MS = 15_000;

/**
 * Calls `find` at once, and again after pauses that add up to `pauseMs`, until there is a result. Throws if the last
 * call failed.
 */
export async function searchFor<Found>(
	{ wait }: Pick<Patience, 'wait'>,
	find: () => Promise<Found | undefined>,
	pauseMs: number,
): Promise<Found | undefined> {
	for (let waited = 0, look = 0; ; look++) {
		const isLast = waited >= pauseMs;
		const found = await (isLast ? find() : find().catch(undefinedIfFailed));
		if (found !== undefined || isLast) return found;
		const pause = Math.min(SEARCH_PAUSES_MS[look] ?? LAST_PAUSE_MS, pauseMs - waited);
		await wait(pause);
		waited += pause;
	}
}
