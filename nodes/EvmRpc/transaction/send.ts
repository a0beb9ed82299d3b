import { hashSignedTransaction } from './transactionHash';
import {
	adviceToSendTheSame,
	isPermanent,
	RequestFailure,
	withAdvice,
} from '../../core/errors/requestFailure';
import type { Field } from '../../core/operation/field';
import { pathField } from '../../core/operation/path';
import { SerialQueue } from '../../core/net/pacing/concurrency';
import { createTimeoutSignal, unlessAborted } from '../../core/net/pacing/stop';
import { throwInvalidResponse } from '../../core/net/responses/response';
import { isLimitNamed, isOutcomeOpen } from '../../core/net/responses/rpcErrors';
import { rpc, type Chain } from '../../core/protocols/rpc/operation';
import { rpcOptions } from '../../core/operation/transportOptions';
import { formatExcerpt } from '../../core/values/excerpt';
import { parseHexBytes } from '../../core/values/hex';
import { isRecord, throwInvalidValue, rethrow } from '../../core/values/parse';

const signedTransaction = {
	displayName: 'Signed Transaction',
	name: 'signedTransaction',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x02f8730182…',
	description:
		'The signed transaction as 0x-hex, as Chain Signer, a wallet or a signing service gives it',
	parse: (given: unknown) => {
		const value = parseHexBytes(given);
		return isTransaction(value) ? value : throwInvalidValue('a signed transaction as 0x-hex');
	},
} as const satisfies Field;

/** A transaction is longer than a hash or an address, and begins with a type or as a list of the old kind. */
function isTransaction(hex: string): boolean {
	const first = Number(hex.slice(0, 4));
	return hex.length > 100 && ((first > 0 && first < 0x80) || first >= 0xc0);
}

/** What nodes say to a transaction that they have; where they say something else, they are asked for its hash. */
const KNOWN_TRANSACTION_PATTERN =
	/already ?known|already.known|\bknown transaction|already.?imported|already.?exists|same hash|already in (the )?(mempool|mpool|(tx)?pool|system)/i;

export const send = rpc({
	name: 'Send',
	action: 'Send a signed transaction',
	description:
		'Send a signed transaction to the chain, which spends its fee and what it pays. It is carried out at most once; items are sent in order, one after another.',
	advice: adviceToSendTheSame,
	fields: [signedTransaction, pathField('/'), rpcOptions()],
	async *run(p, chain) {
		const hash = hashSignedTransaction(p.signedTransaction);
		const send = async () => await sendTransaction(chain, p.signedTransaction, hash);
		yield await chain.shared(createSendQueue).run(send);
	},
});

/** Another transaction with its nonce may be there; and a contract may revert with any words. */
const OTHER_MEANING_PATTERN = /nonce|revert/i;

/** The next one is not sent before it is known what became of this one. */
const createSendQueue = () => new SerialQueue();

async function sendTransaction(chain: Chain, transaction: string, hash: string) {
	const sending = chain.call('eth_sendRawTransaction', [transaction]).then(getHashText);
	const answer = await sending.catch(async (failure) => await throwIfMissing(chain, hash, failure));
	// Only a node that took it from this very request answers with its hash, so of all runs one gets false at most.
	if (answer === undefined) return formatSent(hash, true);
	if (answer.toLowerCase() === hash) return formatSent(hash, false);
	return isHashedOtherwise(transaction) && HASH_PATTERN.test(answer)
		? formatSent(answer, false)
		: throwOtherHash(answer, hash);
}

/** The text is not checked to be a hash: it is compared with the transaction's own, and a refusal quotes it. */
function getHashText(answer: unknown): string {
	return typeof answer === 'string'
		? answer
		: throwInvalidResponse('the hash of the transaction', answer);
}

const HASH_PATTERN = /^0x[0-9a-f]{64}$/i;
/** Rollups with it sign transactions as typed data, and hash what was signed instead of the bytes. */
const TYPED_DATA_TYPE = '0x71';

function isHashedOtherwise(transaction: string): boolean {
	return transaction.startsWith(TYPED_DATA_TYPE);
}

/** A node that lies here is not asked further. */
function throwOtherHash(answer: string, hash: string): never {
	throw new RequestFailure(
		`The node says that it took another transaction: ${formatExcerpt(answer)} instead of ${hash}`,
		{
			description:
				'It accepted a transaction, so what was sent may be under way all the same. Look both hashes up, at another node too.',
			maybeExecuted: true,
		},
	);
}

/** Throws the failure, with the hash, unless the transaction has arrived whatever the answer was: by whose request, nobody can tell. */
async function throwIfMissing(chain: Chain, hash: string, given: unknown): Promise<undefined> {
	if (!(given instanceof RequestFailure)) return rethrow(given);
	if (isAlreadyKnown(given)) return undefined;
	const failure = withDoubt(given, isOutcomeOpen(given.message));
	const found = await findOnChain(chain, hash, failure);
	if (found === true) return undefined;
	const isUsed = isNonceUsed(failure);
	const advice = isUsed && found === false ? ` ${USED_NONCE_ADVICE}` : '';
	// It may be this one that has the nonce in a block.
	const unsure = withDoubt(failure, isUsed && found === undefined);
	return rethrow(withAdvice(unsure, `Its hash is ${hash}.${advice}`));
}

function withDoubt(failure: RequestFailure, isOpen: boolean): RequestFailure {
	return isOpen
		? new RequestFailure(failure.message, { ...failure, maybeExecuted: true })
		: failure;
}

/** Nodes say it of a nonce that a transaction in a block has. */
const USED_NONCE_PATTERN = /nonce.{0,20}too low/i;
const USED_NONCE_ADVICE =
	'Another transaction with its nonce is in a block, and this one is never carried out: what it was to replace came first, or the nonce was used otherwise.';

function isNonceUsed({ message, maybeExecuted }: RequestFailure): boolean {
	return USED_NONCE_PATTERN.test(message) && !maybeExecuted;
}

function isAlreadyKnown({ message }: RequestFailure): boolean {
	return KNOWN_TRANSACTION_PATTERN.test(message) && !OTHER_MEANING_PATTERN.test(message);
}

async function findOnChain(chain: Chain, hash: string, failure: RequestFailure): Promise<Found> {
	if (failure.maybeExecuted) {
		const search = isFoundInTime(chain, hash, SEARCH_PAUSES_MS);
		return await unlessAborted(search, createTimeoutSignal(MAX_SEARCH_MS));
	}
	if (!isRefused(failure)) return undefined;
	return await isFoundInTime(chain, hash, isNonceUsed(failure) ? LAG_PAUSES_MS : []);
}

/** Whether the node refused the transaction, in whatever words, and not who asks, or how often. */
function isRefused(failure: RequestFailure): boolean {
	const isOfCaller = [401, 403, 404, 405, 429].includes(failure.httpCode ?? 0);
	return isPermanent(failure) && !isOfCaller && !isLimitNamed(failure.message);
}

/** Whether the node has the transaction; undefined where that is not certain. */
type Found = boolean | undefined;

const MAX_SEARCH_MS = 15_000;
/** Milliseconds between the look-ups of a transaction whose answer was lost. */
const SEARCH_PAUSES_MS = [1_000, 2_000, 4_000, 7_500];
/** The node that is asked may be behind the one that refused. */
const LAG_PAUSES_MS = [1_000, 2_000];

async function isFoundInTime(
	chain: Chain,
	hash: string,
	pauses: readonly number[],
): Promise<Found> {
	let found = await isOnNode(chain, hash);
	for (const pause of pauses) {
		if (found) return true;
		await chain.wait(pause);
		found = await isOnNode(chain, hash);
	}
	return found;
}

/** Whether it waits on the node, or is in a block; undefined where it cannot be looked up, which hides no other failure. */
async function isOnNode(chain: Chain, hash: string): Promise<Found> {
	const methods = ['eth_getTransactionByHash', 'eth_getTransactionReceipt'];
	const found = await Promise.all(
		methods.map(
			async (method) =>
				await chain.call(method, [hash], { isFresh: true }).catch(undefinedIfFailed),
		),
	);
	const isThere = found.some(
		(one) => isRecord(one) && String(one.hash ?? one.transactionHash).toLowerCase() === hash,
	);
	return isThere || (found.includes(undefined) ? undefined : false);
}

async function undefinedIfFailed(failure: unknown): Promise<undefined> {
	return failure instanceof RequestFailure ? undefined : rethrow(failure);
}

function formatSent(hash: string, wasKnown: boolean) {
	return { result: hash, transactionHash: hash, wasKnown };
}
