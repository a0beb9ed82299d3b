import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { SerialQueue } from '../net/pacing/concurrency';
import { createTimeoutSignal, unlessAborted } from '../net/pacing/stop';
import { isOutcomeOpen } from '../net/responses/rpcErrors';
import { formatExcerpt } from '../values/excerpt';
import { rethrow } from '../values/parse';
import type { Patience } from './reader';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

/** What a node says that has taken a transaction. */
export interface PostAnswer {
	/** The hash in the node's answer, unchanged; some nodes give none. */
	readonly named?: unknown;
	/** Whether the node had the transaction before. */
	readonly wasKnown: boolean;
}

/** How a family of chains sends a signed transaction. */
export interface Sending {
	/**
	 * Transactions of one queue are sent one after another, each after the outcome of the previous one. Without a name, all
	 * share one queue.
	 */
	readonly queue?: string;
	readonly noun: 'transaction' | 'message';
	/** The transaction's own hash, computed from its bytes. */
	hashOf(): string | Promise<string>;
	/**
	 * Waits until it may be sent. Returns true where the chain has it already. A failure here means that nothing was
	 * sent.
	 */
	prepare?(hash: string): Promise<boolean>;
	post(hash: string): Promise<PostAnswer>;
	/**
	 * The hash under which the transaction is found, if the named hash is its own; undefined if it belongs to another
	 * transaction.
	 */
	matchHash?(named: unknown, hash: string): string | undefined;
	/** Whether the node could not accept it at this moment, so that the same bytes are sent again. */
	isBusy?(failure: RequestFailure): boolean;
	/** Whether the transaction may be on its way despite the refusal. The message decides, unless the family knows better. */
	isOpen?(refusal: RequestFailure): boolean;
	/** How to search for a refused transaction that the chain may still have; undefined if there is no such search. */
	searchRefused?(refusal: RequestFailure): RefusedSearch | undefined;
	/** Whether the chain has the transaction. Throws if this cannot be looked up. */
	find(hash: string): Promise<boolean>;
	/** How long the search lasts after a lost answer, if it differs from the default. */
	limitSearch?(): Search;
	/**
	 * Reads whether the transaction can still arrive, before it is looked up. If it cannot, this gives the failure for a
	 * transaction that is then not found.
	 */
	readEnd?(lost: RequestFailure): Promise<RequestFailure | undefined>;
	/** A text with the hash, and with what else is known. */
	formatAdvice(failure: RequestFailure, hash: string): string;
}

export interface Search {
	/** The total of the pauses between look-ups. */
	readonly pauseMs: number;
	/** The end of the search, including the look-ups. */
	readonly limitMs: number;
}

interface RefusedSearch {
	/** The total of the pauses between look-ups. The node that is asked may be behind the node that refused. */
	readonly pauseMs: number;
	/**
	 * Whether nodes refuse a transaction in this way that the chain has: then the refusal is in doubt until a look-up is
	 * answered.
	 */
	readonly isUsual: boolean;
}

/** The search for a transaction that is waited for afterwards: then it is looked up and sent again as well. */
export const SHORT_SEARCH: Search = { pauseMs: 3_000, limitMs: 15_000 };

const DEFAULT_SEARCH: Search = { pauseMs: 14_500, limitMs: 15_000 };

export interface Sent {
	readonly hash: string;
	/** False only if a node accepted the transaction from this very request. So at most one of all runs gets false. */
	readonly wasKnown: boolean;
}

const SENDING_QUEUES = sharedKey('chain.sendingQueues', () => new Map<string, SerialQueue>());

/**
 * Sends a signed transaction, which is carried out at most once. One whose answer was lost is looked up by its hash:
 * where it is found, nobody can know whose request brought it.
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

/** Throws everything except a failure of the service, such as n8n's Stop. */
export function asFailure(failure: unknown): RequestFailure {
	return failure instanceof RequestFailure ? failure : rethrow(failure);
}

/** Milliseconds until a transaction that the node could not accept is sent again. */
const RESEND_PAUSES_MS = [1_000, 2_000, 4_000];

/** The same bytes count once, so a transaction that may have been accepted is also sent again. */
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

/** A node that gives a false hash is not asked further. */
function otherHashError({ noun }: Sending, named: unknown, hash: string): RequestFailure {
	return new RequestFailure(
		`The node says that it accepted another ${noun}: ${formatExcerpt(named)} instead of ${hash}`,
		{
			description: `The chain node accepted a ${noun} with another hash. Yours may still be on its way. Look up both hashes, also at another node.`,
			maybeExecuted: true,
		},
	);
}

/** Returns the failure of a transaction that the chain does not have. Throws if the transaction can no longer arrive. */
async function findMissing(
	context: Patience,
	sending: Sending,
	hash: string,
	failure: RequestFailure,
): Promise<RequestFailure | undefined> {
	if (!failure.maybeExecuted) return await findRefused(context, sending, hash, failure);
	const lookUp = async () => await lookUpLost(sending, hash, failure);
	const { pauseMs, limitMs } = sending.limitSearch?.() ?? DEFAULT_SEARCH;
	// The first failure is the one to be seen, so a look-up that fails counts as not found.
	const search = searchFor(context, lookUp, pauseMs).catch(undefinedIfFailed);
	const found = await unlessAborted(search, createTimeoutSignal(limitMs));
	if (found instanceof RequestFailure) return rethrow(found);
	return found === 'there' ? undefined : failure;
}

/**
 * Returns the refusal of a transaction that the chain does not have. If it could not be looked up, the refusal is in doubt.
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

/** The end of the chain is read first, so that the search covers everything up to that end. */
async function lookUpLost(
	sending: Sending,
	hash: string,
	lost: RequestFailure,
): Promise<'there' | RequestFailure | undefined> {
	const end = await sending.readEnd?.(lost).catch(undefinedIfFailed);
	return (await sending.find(hash)) ? 'there' : end;
}

/** A request whose failure does no harm: it gives no result if the service fails. */
export function undefinedIfFailed(failure: unknown): undefined {
	return failure instanceof RequestFailure ? undefined : rethrow(failure);
}

/** Milliseconds between look-ups; the last one is repeated. */
const SEARCH_PAUSES_MS = [1_000, 2_000, 4_000, 8_000];
const LAST_PAUSE_MS = 15_000;

/**
 * Looks something up at once, and again after pauses with a total of `pauseMs`, until it is found. Throws if the last
 * look-up failed.
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
