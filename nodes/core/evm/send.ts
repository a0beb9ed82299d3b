import type { PatientRpcReader, RpcCaller } from '../chain/reader';
import { asFailure, sendOnce, type Sent, type PostAnswer } from '../chain/sending';
import { isPermanent, RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { isLimitNamed } from '../net/responses/rpcErrors';
import { parseHexBytes } from '../values/hex';
import { isRecord, rethrow, type Parse, InvalidValue } from '../values/parse';
import { hashSignedTransaction } from './transactions/signedHash';
import { raise } from '../errors/raise';

export const parseSignedTransaction: Parse<string> = (given) => {
	const value = parseHexBytes(given);
	return isTransaction(value) ? value : raise(new InvalidValue('a signed transaction as 0x-hex'));
};

/**
 * Whether the bytes can be a transaction, which is longer than a hash. A transaction begins with its type, or with the
 * prefix of a list if it is of the oldest type.
 */
function isTransaction(hex: string): boolean {
	const first = Number(hex.slice(0, 4));
	return hex.length > 100 && ((first > 0 && first < 0x80) || first >= 0xc0);
}

/**
 * Sends a signed transaction at most once. The transactions of a run are sent one after another, whichever accounts they
 * are from.
 */
export async function sendTransaction(
	reader: PatientRpcReader,
	transaction: string,
): Promise<Sent> {
	return await sendOnce(reader, {
		noun: 'transaction',
		hashOf: () => hashSignedTransaction(transaction),
		post: async () => await post(reader, transaction),
		matchHash: (named, hash) => matchHash(transaction, String(named), hash),
		searchRefused,
		find: async (hash) => await isOnNode(reader, hash),
		formatAdvice,
	});
}

/**
 * Posts a transaction, and returns the hash that the node names. The caller compares that hash with the transaction's
 * own.
 */
async function post(reader: RpcCaller, transaction: string): Promise<PostAnswer> {
	try {
		const named = await reader.call('eth_sendRawTransaction', [transaction]);
		return typeof named === 'string'
			? { named, wasKnown: false }
			: raise(invalidResponseError('the hash of the transaction', named));
	} catch (failure) {
		if (!isAlreadyKnown(failure)) return rethrow(failure);
		if (!isHashedOtherwise(transaction)) return { wasKnown: true };
		// The node has the transaction already, but its hash cannot be computed here, so the outcome stays in doubt.
		return rethrow(withDoubt(failure));
	}
}

function withDoubt(failure: RequestFailure): RequestFailure {
	return new RequestFailure(failure.message, { ...failure, maybeExecuted: true });
}

/**
 * Matches the answer of a node that already has the transaction. After any other failure, the transaction's hash is
 * looked up.
 */
const KNOWN_TRANSACTION_PATTERN =
	/already ?known|already.known|\bknown transaction|already.?imported|already.?exists|same hash|already in (the )?(mempool|mpool|(tx)?pool|system)/i;
/** Another transaction may have used the nonce, and a contract may revert with any message. */
const OTHER_MEANING_PATTERN = /nonce|revert/i;

function isAlreadyKnown(failure: unknown): failure is RequestFailure {
	if (!(failure instanceof RequestFailure)) return false;
	const { message } = failure;
	return KNOWN_TRANSACTION_PATTERN.test(message) && !OTHER_MEANING_PATTERN.test(message);
}

const HASH_PATTERN = /^0x[0-9a-f]{64}$/i;
/**
 * The type of transactions on rollups such as zkSync that are signed as typed data. Their hash is not that of their
 * bytes.
 */
const TYPED_DATA_TYPE = '0x71';

function matchHash(transaction: string, named: string, hash: string): string | undefined {
	if (named.toLowerCase() === hash) return hash;
	return isHashedOtherwise(transaction) && HASH_PATTERN.test(named) ? named : undefined;
}

function isHashedOtherwise(transaction: string): boolean {
	return transaction.startsWith(TYPED_DATA_TYPE);
}

/**
 * Whether the node refused the transaction itself, and not the request, for example because of a wrong secret or a rate
 * limit.
 */
function isRefused(failure: RequestFailure): boolean {
	const isOfCaller = [401, 403, 404, 405, 429].includes(failure.httpCode ?? 0);
	return isPermanent(failure) && !isOfCaller && !isLimitNamed(failure.message);
}

/** How long the search waits after a nonce was refused. A node that is behind may not yet show the transaction in a block. */
const LAG_MS = 3_000;

function searchRefused(refusal: RequestFailure) {
	const isUsual = USED_NONCE_PATTERN.test(refusal.message);
	return isRefused(refusal) ? { pauseMs: isUsual ? LAG_MS : 0, isUsual } : undefined;
}

/** Whether the transaction is pending on the node, or is in a block. */
export async function isOnNode(reader: RpcCaller, hash: string): Promise<boolean> {
	const methods = ['eth_getTransactionByHash', 'eth_getTransactionReceipt'];
	const found = await Promise.all(
		methods.map(
			async (method) => await reader.call(method, [hash], { isFresh: true }).catch(asFailure),
		),
	);
	const isThere = found.some(
		(one) => isRecord(one) && String(one.hash ?? one.transactionHash).toLowerCase() === hash,
	);
	const failure = found.find((one) => one instanceof RequestFailure);
	return isThere || !failure ? isThere : rethrow(failure);
}

/** Matches the answer of a node when a transaction in a block has already used the nonce. */
const USED_NONCE_PATTERN = /nonce.{0,20}too low/i;
const USED_NONCE_ADVICE =
	'Another transaction of the account with the same number (nonce) is in a block already, so this transaction will never be carried out. If it was a replacement, the transaction to be replaced came first.';

function formatAdvice({ message, maybeExecuted }: RequestFailure, hash: string): string {
	const isBeaten = USED_NONCE_PATTERN.test(message) && !maybeExecuted;
	return `Its hash is ${hash}.${isBeaten ? ` ${USED_NONCE_ADVICE}` : ''}`;
}
