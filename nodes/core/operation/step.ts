import { RequestFailure } from '../errors/requestFailure';

/** What came of a request. */
export type Outcome = { readonly result: unknown } | { readonly failure: RequestFailure };

/** How far the work on an item has come when a step's outcomes are there. */
export interface ItemProgress {
	/** How many more things are wanted; Infinity for all. */
	readonly missing: number;
	/** Milliseconds since the item began. */
	readonly elapsed: number;
}

/**
 * Requests that travel together, and a pure function from what came of them to what follows. Asking again for what a
 * node refused, in smaller pieces, is a step; so is asking later.
 */
export interface Step<Request> {
	/**
	 * Milliseconds to wait first. Items that wait come back together, as many as fit into one request, and the next ones
	 * a second later.
	 */
	readonly after?: number;
	readonly requests: readonly Request[];
	next(outcomes: readonly Outcome[], progress: ItemProgress): Turn<Request>;
}

/** Things, which become items, and the step that follows if more are wanted. */
export interface Turn<Request> {
	readonly things: readonly unknown[];
	readonly then?: Step<Request>;
}

/** What the items of a run share. */
export interface RunScope {
	/** The time zone of the workflow, by its IANA name. */
	readonly timezone: string;
	/** What the run remembers of a kind, made when it is asked for first. */
	memory<T>(kind: () => T): T;
}

/** What comes of a request; what is no failure of the service ends everything. */
export async function outcomeOf(work: Promise<unknown>): Promise<Outcome> {
	try {
		return { result: await work };
	} catch (failure) {
		return failure instanceof RequestFailure ? { failure } : await Promise.reject(failure);
	}
}

/** The result, or else the failure is thrown. */
export function resultOf(outcome: Outcome | undefined): unknown {
	if (outcome === undefined) throw new Error('A request has no outcome');
	if ('failure' in outcome) throw outcome.failure;
	return outcome.result;
}

export function runScope(timezone: string): RunScope {
	const memories = new Map<() => unknown, unknown>();
	return {
		timezone,
		memory: <T>(kind: () => T): T => {
			if (!memories.has(kind)) memories.set(kind, kind());
			return memories.get(kind) as T;
		},
	};
}
