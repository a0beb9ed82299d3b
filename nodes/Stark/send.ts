import type { RpcReader } from '../core/chain/reader';
import { adviceToSendTheSame, RequestFailure, withAdvice } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { formatFelt, tryParseFelt } from '../core/stark/felts';
import { ERROR_CODES, getErrorCode, readChainId } from '../core/stark/node';
import { computeInvokeHash, parseSentInvoke, type SentInvoke } from '../core/stark/sentInvoke';
import { isTransactionKnown } from '../core/stark/transactions';
import { SerialQueue } from '../core/net/pacing/concurrency';
import { isOutcomeOpen } from '../core/net/responses/rpcErrors';
import { rpc, type Chain } from '../core/protocols/rpc/operation';
import { formatExcerpt } from '../core/values/excerpt';
import { isRecord, rethrow } from '../core/values/parse';
import { openNode, options, path } from './fields';

const signedTransaction = {
	displayName: 'Transaction',
	name: 'transaction',
	type: 'string',
	required: true,
	default: '',
	placeholder:
		'e.g. {"type":"INVOKE","version":"0x3","sender_address":"0x1","nonce":"0x1","calldata":["0x1"],"resource_bounds":{…},"tip":"0x0",…,"signature":["0x1","0x2"]}',
	description: 'The signed transaction as JSON, as the signer gives it',
	parse: parseSentInvoke,
} as const satisfies Field;

/** A transaction is not sent before it is known what became of the one before. */
const createSendQueue = () => new SerialQueue();

export const send = rpc({
	name: 'Send',
	action: 'Send a signed transaction',
	description:
		'Send a signed transaction to the chain, which spends its fee and what it pays. It is carried out at most once; items are sent in order, one after another.',
	advice: adviceToSendTheSame,
	fields: [signedTransaction, path, options],
	async *run(p, chain) {
		const node = openNode(chain, p);
		const sending = async () => await sendInvoke(chain, node, p.transaction);
		const { hash, wasKnown } = await chain.shared(createSendQueue).run(sending);
		yield { result: formatFelt(hash), transactionHash: formatFelt(hash), wasKnown };
	},
});

interface Sent {
	readonly hash: bigint;
	/** False only where the node took it from this very request, so of all runs with the same transaction one gets false at most. */
	readonly wasKnown: boolean;
}

async function sendInvoke(chain: Chain, node: RpcReader, invoke: SentInvoke): Promise<Sent> {
	const hash = await computeInvokeHash(invoke, await readChainId(node));
	if (await isTransactionKnown(node, hash)) return { hash, wasKnown: true };
	const answer = await node.call('addInvokeTransaction', [invoke.json]).catch(asFailure);
	if (!(answer instanceof RequestFailure)) {
		throwIfOther(hash, isRecord(answer) ? answer.transaction_hash : answer);
		return { hash, wasKnown: false };
	}
	if (getErrorCode(answer) === ERROR_CODES.alreadyWaiting) return { hash, wasKnown: true };
	await throwIfMissing(chain, node, { hash, nonce: invoke.nonce }, withDoubt(answer));
	return { hash, wasKnown: true };
}

function asFailure(failure: unknown): RequestFailure {
	return failure instanceof RequestFailure ? failure : rethrow(failure);
}

/** A node that could not finish, or whose gateway was late, may have passed the transaction on. */
const OPEN_CODES: readonly unknown[] = [ERROR_CODES.unexpected, ERROR_CODES.internal];

function withDoubt(failure: RequestFailure): RequestFailure {
	const isOpen = OPEN_CODES.includes(getErrorCode(failure)) || isOutcomeOpen(failure.message);
	return isOpen
		? new RequestFailure(failure.message, { ...failure, maybeExecuted: true })
		: failure;
}

/** The node has taken something, but not what was signed, or it does not tell the truth. */
function throwIfOther(hash: bigint, told: unknown): void {
	if (tryParseFelt(told) === hash) return;
	throw new RequestFailure('The node tells another hash than that of the transaction', {
		description: `The hash of the transaction is ${formatFelt(hash)}; the node says ${formatExcerpt(told)}.`,
		maybeExecuted: true,
	});
}

/** Milliseconds between the look-ups of a transaction whose answer was lost. */
const SEARCH_PAUSES_MS = [1_000, 2_000, 4_000];

interface LostInvoke {
	readonly hash: bigint;
	readonly nonce: bigint;
}

/** Throws the failure unless the node has the transaction all the same: by whose request, nobody can tell. */
async function throwIfMissing(
	chain: Chain,
	node: RpcReader,
	{ hash, nonce }: LostInvoke,
	failure: RequestFailure,
): Promise<void> {
	const isUsed = getErrorCode(failure) === ERROR_CODES.nonceInvalid;
	if (!isUsed && !failure.maybeExecuted) throw failure;
	const found = await searchNode(chain, node, hash);
	if (found === true) return;
	if (failure.maybeExecuted || found instanceof RequestFailure)
		throw withAdvice(
			new RequestFailure(failure.message, { ...failure, maybeExecuted: true }),
			`The hash of the transaction is ${formatFelt(hash)}.`,
		);
	throw withAdvice(
		failure,
		`Its nonce is ${nonce}, and the node does not know its hash ${formatFelt(hash)}. Where another transaction has used the nonce, prepare it again.`,
	);
}

/** Looks the transaction up until it is there; gives what the last look-up said. */
async function searchNode(
	chain: Chain,
	node: RpcReader,
	hash: bigint,
): Promise<boolean | RequestFailure> {
	let found = await isTransactionKnown(node, hash).catch(asFailure);
	for (const pause of SEARCH_PAUSES_MS) {
		if (found === true) return true;
		await chain.wait(pause);
		found = await isTransactionKnown(node, hash).catch(asFailure);
	}
	return found;
}
