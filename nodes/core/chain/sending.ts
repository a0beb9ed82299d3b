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
export interface Taken {
	/** The hash that it names, as it came; some nodes name none. */
	readonly named?: unknown;
	/** Whether the node had the transaction before. */
	readonly wasKnown: boolean;
}

/** How a family of chains sends a signed transaction. */
export interface Sending {
	/** Those of one queue are sent one after another, each once it is known what became of the one before. Without a name it is that of all. */
	readonly queue?: string;
	readonly noun: 'transaction' | 'message';
	/** The transaction's own hash, made of its bytes. */
	hashOf(): string | Promise<string>;
	/**
	 * Waits until it may be sent. Returns true where the chain has it already. A failure here means that nothing was
	 * sent.
	 */
	prepare?(hash: string): Promise<boolean>;
	post(hash: string): Promise<Taken>;
	/** Under which hash the transaction goes, where the named one is its own; undefined where it is another's. */
	matchHash?(named: unknown, hash: string): string | undefined;
	/** Whether the node could not take it at this moment, so that the same bytes are sent again. */
	isBusy?(failure: RequestFailure): boolean;
	/** Whether a refusal leaves it open that the transaction is under way: its words say so unless the family knows better. */
	isOpen?(refusal: RequestFailure): boolean;
	/** How a refused transaction is looked for that the chain may have all the same; undefined where it cannot. */
	searchRefused?(refusal: RequestFailure): RefusedSearch | undefined;
	/** Whether the chain has the transaction. A failure where that cannot be looked up. */
	find(hash: string): Promise<boolean>;
	/** How long it is looked for once its answer is lost, where that is not as usual. */
	limitSearch?(): Search;
	/** Reads whether it can still arrive, before it is looked up. Where it cannot, this is the failure of one that is not found then. */
	readEnd?(lost: RequestFailure): Promise<RequestFailure | undefined>;
	/** Says what the hash is, and what is known beside it. */
	formatAdvice(failure: RequestFailure, hash: string): string;
}

export interface Search {
	/** What the pauses between the look-ups add up to. */
	readonly pauseMs: number;
	/** The end, with what the look-ups take. */
	readonly limitMs: number;
}

interface RefusedSearch {
	/** What the pauses between the look-ups add up to: the node that is asked may be behind the one that refused. */
	readonly pauseMs: number;
	/**
	 * Whether nodes refuse a transaction in this way that the chain has: then the refusal is in doubt until a look-up is
	 * answered.
	 */
	readonly isUsual: boolean;
}

/** The search of one that is waited for afterwards: it is looked up then, too, and sent again. */
export const SHORT_SEARCH: Search = { pauseMs: 3_000, limitMs: 15_000 };

const DEFAULT_SEARCH: Search = { pauseMs: 14_500, limitMs: 15_000 };

export interface Sent {
	readonly hash: string;
	/** False only where a node took the transaction from this very request, so of all runs at most one gets false. */
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

/** Anything but a failure of the service, such as n8n's Stop, is thrown. */
export function asFailure(failure: unknown): RequestFailure {
	return failure instanceof RequestFailure ? failure : rethrow(failure);
}

/** Milliseconds until a transaction is sent again that the node could not take. */
const RESEND_PAUSES_MS = [1_000, 2_000, 4_000];

/** The same bytes count once, so a transaction that may have been taken in spite of an answer is sent again, too. */
async function postPatiently(context: Patience, sending: Sending, hash: string): Promise<Taken> {
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

/** A node that lies here is not asked further. */
function otherHashError({ noun }: Sending, named: unknown, hash: string): RequestFailure {
	return new RequestFailure(
		`The node says that it accepted another ${noun}: ${formatExcerpt(named)} instead of ${hash}`,
		{
			description: `The node accepted a ${noun} with another hash. Yours may still be on its way. Look up both hashes, also at another node.`,
			maybeExecuted: true,
		},
	);
}

/** Returns the failure of a transaction that the chain does not have, whatever the answer was. Throws where it can no longer arrive. */
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

/** Returns the refusal of a transaction that the chain does not have; with doubt where that could not be looked up. */
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

/** The end of the chain is read first, so that a transaction not found afterwards is not before it. */
async function lookUpLost(
	sending: Sending,
	hash: string,
	lost: RequestFailure,
): Promise<'there' | RequestFailure | undefined> {
	const end = await sending.readEnd?.(lost).catch(undefinedIfFailed);
	return (await sending.find(hash)) ? 'there' : end;
}

/** A request that need not succeed has no result where the service fails. */
export function undefinedIfFailed(failure: unknown): undefined {
	return failure instanceof RequestFailure ? undefined : rethrow(failure);
}

/** Milliseconds between look-ups; the last one is repeated. */
const SEARCH_PAUSES_MS = [1_000, 2_000, 4_000, 8_000];
const LAST_PAUSE_MS = 15_000;

/** Looks something up at once, and after pauses that add up to `pauseMs`, until it is found. Throws where the last look-up failed. */
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
