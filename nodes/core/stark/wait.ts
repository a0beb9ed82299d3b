import type { Patience, RpcReader } from '../chain/reader';
import { waitUntil } from '../chain/waiting';
import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { formatFelt } from './felts';
import type { Acceptance } from './heads';
import { readTransactionState, type TransactionState } from './transactions';

/** The transaction to wait for, the status that it must reach, and the limit of time. */
interface Wanted {
	readonly hash: bigint;
	readonly until: Acceptance;
	readonly seconds: number;
}

/** Waits until a transaction has reached the wanted status, or was rejected. */
export async function waitForTransaction(
	context: Patience,
	reader: RpcReader,
	wanted: Wanted,
): Promise<TransactionState> {
	const end = await waitUntil(context, {
		seconds: wanted.seconds,
		initial: null,
		read: async () => await readTransactionState(reader, wanted.hash),
		isDone: (known): known is TransactionState => known !== null && isFarEnough(wanted, known),
		countCalls: () => CALLS_PER_READ,
	});
	if (end.isDone) return end.known;
	throw notAcceptedError(wanted, end.known, end.failure);
}

/** The status and the receipt. */
export const CALLS_PER_READ = 2;

export function isFarEnough(
	{ until }: Pick<Wanted, 'until'>,
	{ status }: TransactionState,
): boolean {
	return status === 'rejected' || status === 'acceptedOnL1' || status === until;
}

function notAcceptedError(
	{ seconds, hash }: Wanted,
	state: TransactionState | null,
	failure?: RequestFailure,
): RequestFailure {
	const time = `after ${seconds} s`;
	if (failure) return withAdvice(failure, `The transaction was not accepted ${time}.`);
	if (state)
		return new RequestFailure(`The status of the transaction is still ${state.status} ${time}`, {
			description: "'Wait For' sets how long to wait.",
		});
	return new RequestFailure(`The chain node does not know the transaction ${time}`, {
		description: `${formatFelt(hash)} was not sent to this chain, or the chain node has dropped it. Send the same signed transaction again. A transaction that is prepared anew may pay twice.`,
	});
}
