import { rethrow } from '../values/parse';
import { RequestFailure } from '../errors/requestFailure';
import type { Patience } from './reader';

/** The latest known state of an object on the chain, and the failure of the latest attempt to read it. */
interface PollState<Known> {
	readonly known: Known;
	/** The failure of the latest attempt. */
	readonly failure?: RequestFailure;
	/** How many errors of the node came in a row. */
	readonly errors: number;
}

interface Wait<Known, Result extends Known> {
	/** The longest time to wait. */
	readonly seconds: number;
	/** The state before the first attempt. */
	readonly initial: Known;
	read(known: Known): Promise<Known>;
	isDone(known: Known): known is Result;
	/** How many calls the next reading of the state makes; 1 by default. */
	countCalls?(known: Known): number;
}

/**
 * The result of a wait: the wanted state, or the last state when the time is over. `failure` is the failure of the
 * last attempt.
 */
type Waited<Known, Result extends Known> =
	| { readonly isDone: true; readonly known: Result }
	| { readonly isDone: false; readonly known: Known; readonly failure?: RequestFailure };

const SECOND_MS = 1000;
const POLL_INTERVAL_MS = 1000;

/** Reads a state of the chain once a second, until `isDone` accepts it or the time is over. */
export async function waitUntil<Known, Result extends Known>(
	context: Pick<Patience, 'wait'>,
	wanted: Wait<Known, Result>,
): Promise<Waited<Known, Result>> {
	const end = Date.now() + wanted.seconds * SECOND_MS;
	await context.wait(0);
	let state = await poll({ known: wanted.initial, errors: 0 }, wanted);
	for (;;) {
		const { known, failure } = state;
		if (wanted.isDone(known)) return { isDone: true, known };
		const left = end - Date.now();
		if (left <= 0) return { isDone: false, known, failure };
		await context.wait(Math.min(left, POLL_INTERVAL_MS), wanted.countCalls?.(known));
		state = await poll(state, wanted);
	}
}

async function poll<Known, Result extends Known>(
	state: PollState<Known>,
	{ read }: Pick<Wait<Known, Result>, 'read'>,
): Promise<PollState<Known>> {
	try {
		return { known: await read(state.known), errors: 0 };
	} catch (failure) {
		return await withFailure(state, failure);
	}
}

/** Single errors are tolerated, because one of many nodes may fail now and then. */
const MAX_NODE_ERRORS = 10;
/** HTTP statuses after which a retry is useless: the credential was refused, or the address does not exist. */
const FINAL_STATUSES = [401, 403, 404];

/** Keeps the known state after a failure that may be temporary. Throws any other failure. */
async function withFailure<Known>(
	state: PollState<Known>,
	failure: unknown,
): Promise<PollState<Known>> {
	if (!(failure instanceof RequestFailure)) return rethrow(failure);
	const isOfNode = !failure.retry && !failure.maybeExecuted;
	const errors = state.errors + Number(isOfNode);
	const isFinal = errors > MAX_NODE_ERRORS || FINAL_STATUSES.includes(failure.httpCode ?? 0);
	return isFinal ? rethrow(failure) : { ...state, failure, errors };
}
