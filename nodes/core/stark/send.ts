import type { Patience, RpcReader } from '../chain/reader';
import { sendOnce, type Sent, type PostAnswer } from '../chain/sending';
import type { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { isOutcomeOpen } from '../net/responses/rpcErrors';
import { isBlank, isRecord, rethrow } from '../values/parse';
import { formatFelt, tryParseFelt } from './felts';
import { ERROR_CODES, getErrorCode, readChainId } from './reader';
import { computeInvokeHash, type SentInvoke } from './sentInvoke';
import { isTransactionKnown } from './transactions';
import { raise } from '../errors/raise';

/** Sends a signed transaction at most once. */
export async function sendInvoke(
	context: Patience,
	reader: RpcReader,
	invoke: SentInvoke,
): Promise<Sent> {
	const find = async (hash: string) => await isTransactionKnown(reader, BigInt(hash));
	return await sendOnce(context, {
		noun: 'transaction',
		hashOf: async () => formatFelt(await computeInvokeHash(invoke, await readChainId(reader))),
		prepare: find,
		post: async () => await post(reader, invoke),
		matchHash: (named, hash) => (tryParseFelt(named) === BigInt(hash) ? hash : undefined),
		isOpen,
		searchRefused: (refusal) =>
			isRefusedByNonce(refusal) ? { pauseMs: LAG_MS, isUsual: true } : undefined,
		find,
		formatAdvice: (failure, hash) =>
			isRefusedByNonce(failure)
				? `Its nonce is ${invoke.nonce}, and the chain node does not know its hash ${hash}. If another transaction has used the nonce, prepare it again.`
				: `Its hash is ${hash}.`,
	});
}

/** A node that refuses with one of these error codes may still have passed on the transaction. */
const OPEN_CODES: readonly unknown[] = [ERROR_CODES.unexpected, ERROR_CODES.internal];

function isOpen(refusal: RequestFailure): boolean {
	return OPEN_CODES.includes(getErrorCode(refusal)) || isOutcomeOpen(refusal.message);
}

/**
 * If the node refuses the nonce of a transaction, the chain is searched for the transaction during this time. The node
 * that answers may be behind the node that refused.
 */
const LAG_MS = 7_000;

async function post(reader: RpcReader, { json }: SentInvoke): Promise<PostAnswer> {
	try {
		const answer = await reader.call('addInvokeTransaction', [json]);
		const named = isRecord(answer) ? answer.transaction_hash : answer;
		return isBlank(named)
			? raise(invalidResponseError('the hash of the transaction', answer))
			: { named, wasKnown: false };
	} catch (failure) {
		const isWaiting = getErrorCode(failure) === ERROR_CODES.alreadyWaiting;
		return isWaiting ? { wasKnown: true } : rethrow(failure);
	}
}

function isRefusedByNonce(failure: RequestFailure): boolean {
	return getErrorCode(failure) === ERROR_CODES.nonceInvalid && !failure.maybeExecuted;
}
