import type { RpcReader } from '../core/chain/reader';
import { adviceToSendTheSame, RequestFailure, withAdvice } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { formatFelt, tryParseFelt } from '../core/stark/felts';
import { ERROR_CODES, getErrorCode, readChainId } from '../core/stark/node';
import { computeInvokeHash, parseSentInvoke, type SentInvoke } from '../core/stark/sentInvoke';
import { isTransactionKnown } from '../core/stark/transactions';
import { SerialQueue } from '../core/net/pacing/concurrency';
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
	/** Whether the node had the transaction before. */
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
	if (await hasArrived(chain, node, hash, answer)) return { hash, wasKnown: !answer.maybeExecuted };
	throw explainRefusal(answer, hash, invoke);
}

function asFailure(failure: unknown): RequestFailure {
	return failure instanceof RequestFailure ? failure : rethrow(failure);
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

/** Whether the node has the transaction, whatever its answer was; looked up by its hash. */
async function hasArrived(
	chain: Chain,
	node: RpcReader,
	hash: bigint,
	failure: RequestFailure,
): Promise<boolean> {
	const isUsed = getErrorCode(failure) === ERROR_CODES.nonceInvalid;
	if (!isUsed && !failure.maybeExecuted) return false;
	for (const pause of [0, ...(failure.maybeExecuted ? SEARCH_PAUSES_MS : [])]) {
		if (pause > 0) await chain.wait(pause);
		if (await isTransactionKnown(node, hash).catch(falseIfFailed)) return true;
	}
	return false;
}

/** A look-up that fails must not hide the failure of the sending. */
function falseIfFailed(failure: unknown): false {
	return failure instanceof RequestFailure ? false : rethrow(failure);
}

function explainRefusal(
	failure: RequestFailure,
	hash: bigint,
	{ nonce }: SentInvoke,
): RequestFailure {
	if (failure.maybeExecuted)
		return withAdvice(failure, `The hash of the transaction is ${formatFelt(hash)}.`);
	return getErrorCode(failure) === ERROR_CODES.nonceInvalid
		? withAdvice(
				failure,
				`Its nonce is ${nonce}, and the node does not know its hash ${formatFelt(hash)}. Where another transaction has used the nonce, prepare it again.`,
			)
		: failure;
}
