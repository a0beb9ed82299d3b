import { adviceToSendTheSame, RequestFailure, withAdvice } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { readBlockTransactions, readHeadNumber, type BlockId } from '../core/stark/blocks';
import { feltParser, formatFelt } from '../core/stark/felts';
import { ERROR_CODES, getErrorCode, type StarkNode } from '../core/stark/node';
import { isSameInvoke, parseSignedInvoke, type SignedInvoke } from '../core/stark/signedInvoke';
import { SerialQueue } from '../core/transport/pacing/concurrency';
import { rpc, type Chain } from '../core/transport/rpc/chain';
import { throwAgain } from '../core/values/parse';
import { openNode, options, path } from './fields';

const signedTransaction = {
	displayName: 'Transaction',
	name: 'transaction',
	type: 'string',
	required: true,
	default: '',
	placeholder:
		'e.g. {"type":"INVOKE","version":"0x3","sender_address":"0x1","nonce":"0x1","calldata":["0x1"],"resource_bounds":{},"signature":["0x1","0x2"]}',
	description: 'The signed transaction as JSON, as the signer gives it',
	parse: parseSignedInvoke,
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
		const hash = formatFelt(await chain.shared(createSendQueue).run(sending));
		yield { result: hash, transactionHash: hash };
	},
});

const parseHash = feltParser('the hash of the transaction');

async function sendInvoke(chain: Chain, node: StarkNode, invoke: SignedInvoke): Promise<bigint> {
	try {
		const answer = await node.call('addInvokeTransaction', [invoke.json]);
		return parseHash(isHashed(answer) ? answer.transaction_hash : answer);
	} catch (failure) {
		if (!(failure instanceof RequestFailure)) return throwAgain(failure);
		return (
			(await findSent(chain, node, invoke, failure)) ?? throwAgain(explainRefusal(failure, invoke))
		);
	}
}

function isHashed(answer: unknown): answer is { readonly transaction_hash: unknown } {
	return typeof answer === 'object' && answer !== null && 'transaction_hash' in answer;
}

/** The codes by which a node refuses a transaction that it has already. */
const KNOWN_CODES: readonly unknown[] = [ERROR_CODES.nonceInvalid, ERROR_CODES.alreadyWaiting];

/** Milliseconds between the look-ups of a transaction whose answer was lost. */
const SEARCH_PAUSES_MS = [1_000, 2_000, 4_000];

/** The hash of a transaction that has arrived whatever the answer was; undefined where it is not found. */
async function findSent(
	chain: Chain,
	node: StarkNode,
	invoke: SignedInvoke,
	failure: RequestFailure,
): Promise<bigint | undefined> {
	const isKnown = KNOWN_CODES.includes(getErrorCode(failure));
	if (!isKnown && !failure.maybeExecuted) return undefined;
	for (const pause of [0, ...(failure.maybeExecuted ? SEARCH_PAUSES_MS : [])]) {
		if (pause > 0) await chain.wait(pause);
		const found = await findInBlocks(node, invoke).catch(undefinedIfFailed);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** A look-up that fails must not hide the failure of the sending. */
function undefinedIfFailed(failure: unknown): undefined {
	return failure instanceof RequestFailure ? undefined : throwAgain(failure);
}

/** A transaction that was sent before and is refused now is seldom in an older block. */
const SEARCHED_BLOCKS = 10;

/** A transaction whose hash is unknown is recognized by its account, nonce and signature. */
async function findInBlocks(node: StarkNode, invoke: SignedInvoke): Promise<bigint | undefined> {
	const head = await readHeadNumber(node, { isFresh: true });
	const count = Math.min(SEARCHED_BLOCKS, head + 1);
	const ids: BlockId[] = Array.from({ length: count }, (_, age) => ({ block_number: head - age }));
	const lists = await Promise.all(
		['pending', ...ids].map(async (id) => await readBlockTransactions(node, id)),
	);
	const found = lists.flat().find((one) => isSameInvoke(invoke, one));
	return found && parseHash(found.transaction_hash);
}

function explainRefusal(failure: RequestFailure, { nonce }: SignedInvoke): RequestFailure {
	const code = getErrorCode(failure);
	if (code === ERROR_CODES.alreadyWaiting)
		return withAdvice(failure, 'The node has this transaction, and it waits for a block.');
	return code === ERROR_CODES.nonceInvalid
		? withAdvice(
				failure,
				`Its nonce is ${nonce}. Look its hash up first: it may be in an older block. Only where another transaction has used the nonce, prepare it again.`,
			)
		: failure;
}
