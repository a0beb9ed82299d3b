import type { PatientRestReader, RestCaller, RestReader } from '../chain/reader';
import { waitUntil } from '../chain/waiting';
import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { rethrow } from '../values/parse';
import { isNotServed, throwIfError } from './answers';
import { MIN_BLOCKS_ON_TOP, readHeadNumber } from './blocks';
import { buildPendingOutcome, parseOutcome, type Outcome } from './outcome';
import { isOnNode } from './send';
import { sharedKey } from '../net/pacing/shared';

/** What is known of the transaction. */
export interface Finality {
	readonly outcome?: Outcome;
	/** The answer that shows the state, with the logs. */
	readonly info?: unknown;
	readonly isIrreversible: boolean;
}

export const NOT_IN_BLOCK: Finality = { isIrreversible: false };

/** Waits until the block of a transaction is irreversible. Returns the outcome, even if it failed. */
export async function waitForTransaction(
	context: PatientRestReader,
	id: string,
	seconds: number,
): Promise<Outcome | undefined> {
	const end = await waitUntil(context, {
		seconds,
		initial: NOT_IN_BLOCK,
		read: async () => await readFinality(id, context),
		isDone: (known): known is Finality => known.isIrreversible,
	});
	return end.isDone ? end.known.outcome : await throwNotFinal(id, seconds, context, end.failure);
}

/** Whether the node has the view of irreversible blocks. */
const SOLIDIFIED_VIEW = sharedKey('witness.solidifiedView', () => ({ isServed: true }));

/** Irreversible blocks were found by counting later blocks, which is as safe only while the chain's witnesses agree. */
export function findUnservedHint({ shared }: Pick<RestReader, 'shared'>): string | undefined {
	return shared(SOLIDIFIED_VIEW).isServed
		? undefined
		: `The node does not say which blocks are irreversible: ${MIN_BLOCKS_ON_TOP} blocks on top count instead.`;
}

/** Reads the outcome of a transaction, and whether its block is irreversible. */
export async function readFinality(id: string, context: RestReader): Promise<Finality> {
	const view = context.shared(SOLIDIFIED_VIEW);
	if (view.isServed) {
		const info = await readInfoIn('/walletsolidity', id, context).catch(async (failure) => {
			if (!isNotServed(failure)) return rethrow(failure);
			view.isServed = false;
			return undefined;
		});
		if (view.isServed) {
			const outcome = parseOutcome(info, id);
			return { outcome, info, isIrreversible: outcome !== undefined };
		}
	}
	const [info, head] = await Promise.all([
		readInfoIn('/wallet', id, context),
		readHeadNumber(context),
	]);
	const outcome = parseOutcome(info, id);
	const block = outcome?.blockNumber ?? Infinity;
	return { outcome, info, isIrreversible: head - block >= MIN_BLOCKS_ON_TOP };
}

/** Reads the outcome of a transaction; null if it is neither in a block nor pending. */
export async function readOutcome(reader: RestCaller, id: string): Promise<Outcome | null> {
	const inBlock = await readOutcomeInBlock(id, reader);
	if (inBlock) return inBlock;
	// It may be in a block whose outcome is not there yet.
	return (await isOnNode(reader, id)) ? buildPendingOutcome(id) : null;
}

/** Reads the outcome of a transaction in a block; undefined for any other. */
export async function readOutcomeInBlock(
	id: string,
	reader: RestCaller,
): Promise<Outcome | undefined> {
	return parseOutcome(await readInfoIn('/wallet', id, reader), id);
}

async function readInfoIn(view: string, id: string, { call }: RestCaller): Promise<unknown> {
	return throwIfError(await call({ path: `${view}/gettransactioninfobyid`, body: { value: id } }));
}

/** The time is over: describes the last known state. */
async function throwNotFinal(
	id: string,
	seconds: number,
	context: RestCaller,
	failure?: RequestFailure,
): Promise<never> {
	const time = `after ${seconds} s`;
	const notYet = `The transaction was not irreversible ${time}.`;
	if (failure) throw withAdvice(failure, notYet);
	// Without an answer nobody knows where it is: built again, it may be paid twice.
	const outcome = await readOutcomeInBlock(id, context).catch(async (problem) =>
		rethrow(problem instanceof RequestFailure ? withAdvice(problem, notYet) : problem),
	);
	if (!outcome) {
		throw new RequestFailure(`The transaction is not in a block ${time}`, {
			description:
				'The transaction was not broadcast to this chain, has expired, or waits for a block. It usually expires a minute after it was built. Until then, broadcast the same transaction again. Only after that, build another one.',
		});
	}
	const failed = outcome.status === 'failed' ? ` It failed: ${outcome.reason}.` : '';
	throw new RequestFailure(`The transaction is in a block, but not irreversible ${time}`, {
		description: `The transaction is in block ${outcome.blockNumber}.${failed} 'Wait For' sets how long to wait.`,
	});
}
