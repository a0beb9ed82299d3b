import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { shortenMessage, throwInvalidResponse } from '../net/responses/response';
import { isOutcomeOpen } from '../net/responses/rpcErrors';
import { formatExcerpt } from '../values/excerpt';
import { isRecord, rethrow } from '../values/parse';
import { decodeChainMessage, throwIfException } from './answers';
import { findLost, isOnNode, type PatientReader } from './lostTransaction';
import type { SignedTransaction } from './signedTransaction';

/**
 * Sends a signed transaction. Returns whether the node had it already: false only where it took it from this very request,
 * so of all runs that send the same bytes to a node, one gets false at most.
 */
export async function broadcastTransaction(
	context: PatientReader,
	transaction: SignedTransaction,
): Promise<boolean> {
	try {
		const { txid, wasKnown } = await postPatiently(context, transaction);
		checkOwnId(txid, transaction);
		return wasKnown ? await findLost(context, transaction, NOT_FOUND) : false;
	} catch (failure) {
		if (!(failure instanceof RequestFailure)) return rethrow(failure);
		if (failure instanceof OtherTransaction) return rethrow(failure);
		if (failure.maybeExecuted) return await findLost(context, transaction, failure);
		await throwIfMissing(context, transaction, failure);
		return true;
	}
}

/** Nodes with a cache of IDs say for an hour that they have what they refused. */
const NOT_FOUND = new RequestFailure(
	'The node says that it has the transaction already, and does not find it',
	{ maybeExecuted: true },
);

interface Taken {
	/** Some nodes do not repeat the ID. */
	readonly txid?: unknown;
	readonly wasKnown: boolean;
}

/** Milliseconds until a transaction is sent again that the node could not take. */
const RESEND_PAUSES_MS = [1_000, 2_000, 4_000];

/** The same bytes count once, so what may have been taken in spite of an answer is sent again, too. */
async function postPatiently(
	context: PatientReader,
	transaction: SignedTransaction,
): Promise<Taken> {
	let maybeTaken = false;
	for (const pause of [...RESEND_PAUSES_MS, undefined]) {
		try {
			return await post(context, transaction);
		} catch (failure) {
			if (!(failure instanceof RequestFailure)) return rethrow(failure);
			maybeTaken ||= failure.maybeExecuted || isOfGateway(failure);
			if (pause === undefined || !RESENT_CODES.includes(getCode(failure)))
				return rethrow(
					new RequestFailure(failure.message, { ...failure, maybeExecuted: maybeTaken }),
				);
		}
		await context.wait(pause);
	}
	return throwInvalidResponse('the outcome of the broadcast', undefined);
}

/** What stands between here and the node may have lost its answer, and says so with status 200. */
function isOfGateway(failure: RequestFailure): boolean {
	return getCode(failure) === undefined && isOutcomeOpen(failure.message);
}

async function post({ call }: PatientReader, { body }: SignedTransaction): Promise<Taken> {
	const request = { path: '/wallet/broadcasttransaction', body, atMostOnce: true };
	return parseTaken(await call(request));
}

/** Only `result: true` is a success; a refusal may have no `result` at all. */
function parseTaken(json: unknown): Taken {
	const answer = throwIfException(json);
	if (!isRecord(answer)) return throwInvalidResponse('the outcome of the broadcast', json);
	const { result, code, message, txid } = answer;
	if (result === true) return { txid, wasKnown: false };
	if (code === 'DUP_TRANSACTION_ERROR') return { txid, wasKnown: true };
	if ((code ?? message) !== undefined) throw broadcastRefusedError(answer);
	return throwInvalidResponse('the outcome of the broadcast', json);
}

/** A node that lies here is not asked further. */
class OtherTransaction extends RequestFailure {}

function checkOwnId(answered: unknown, { txID }: SignedTransaction): void {
	if (answered === undefined || answered === null) return;
	if (typeof answered === 'string' && answered.toLowerCase() === txID) return;
	throw new OtherTransaction(
		`The node says that it accepted another transaction: ${formatExcerpt(answered)} instead of ${txID}`,
		{
			description:
				'It accepted a transaction, so what was sent may be under way all the same. Look both IDs up, at another node too.',
			maybeExecuted: true,
		},
	);
}

/** The node could not take it at this moment. */
const RESENT_CODES: readonly unknown[] = [
	'SERVER_BUSY',
	'NO_CONNECTION',
	'NOT_ENOUGH_EFFECTIVE_CONNECTION',
	'BLOCK_UNSOLIDIFIED',
];
/** After these the node may have the transaction. */
const UNSURE_CODES = ['NOT_ENOUGH_EFFECTIVE_CONNECTION', 'OTHER_ERROR'];
/** One that was carried out long ago is refused so: nodes look at the time first. */
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
	const advice = Object.hasOwn(CODE_ADVICE, kind) ? CODE_ADVICE[kind] : undefined;
	return new RequestFailure(words || `The node did not accept the transaction: ${kind}`, {
		description: `The broadcast failed with code ${kind}.${advice ? ` ${advice}` : ''}`,
		maybeExecuted: UNSURE_CODES.includes(kind),
		answer: { code: kind },
	});
}

function getCode({ answer }: RequestFailure): unknown {
	return isRecord(answer) ? answer.code : undefined;
}

/** Throws the failure, in doubt where it cannot be looked up whether the transaction was carried out long ago. */
async function throwIfMissing(
	context: PatientReader,
	{ txID }: SignedTransaction,
	failure: RequestFailure,
): Promise<void> {
	const isLate = LATE_CODES.includes(getCode(failure));
	const found = isLate && (await isOnNode(context, txID).catch(asFailure));
	if (found === true) return;
	if (found === false) throw withAdvice(failure, `Its txID is ${txID}.`);
	throw new RequestFailure(failure.message, {
		...failure,
		description: `The node refuses the time of the transaction. It could not be looked up whether it was carried out before (${found.message}). Its txID is ${txID}.`,
		maybeExecuted: true,
	});
}

function asFailure(problem: unknown): RequestFailure {
	return problem instanceof RequestFailure ? problem : rethrow(problem);
}
