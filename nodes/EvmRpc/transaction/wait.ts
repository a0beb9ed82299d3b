import { objectOrNullParser, formatReceipt, type ChainObject } from '../../core/evm/objects';
import { parseBlockNumber } from '../../core/evm/blocks';
import { RequestFailure, withAdvice } from '../../core/errors/requestFailure';
import type { Field, Params } from '../../core/operation/field';
import { simplify } from '../../core/operation/sharedFields';
import { pathField } from '../../core/operation/path';
import { rpc, type Chain } from '../../core/transport/rpc/chain';
import { rpcOptions } from '../../core/operation/transportOptions';
import { isBlank, wholeNumberParser } from '../../core/values/read';
import { transactionHash } from './fields';

const confirmations = {
	displayName: 'Confirmations',
	name: 'confirmations',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description:
		'How many confirmations to wait for. With 1, the transaction only has to be in a block.',
	parse: wholeNumberParser(1),
} as const satisfies Field;

const waitFor = {
	displayName: 'Wait For',
	name: 'waitFor',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 300,
	description: 'How many seconds to wait at most. After that, the item fails.',
	hint: 'In seconds',
	parse: wholeNumberParser(0, 604_800),
} as const satisfies Field;

const fields = [
	transactionHash,
	confirmations,
	waitFor,
	simplify,
	pathField('/'),
	rpcOptions(),
] as const;
type WaitInputs = Params<typeof fields>;

/** What is known so far. */
interface WaitState {
	readonly receipt: ChainObject | null;
	/** How many blocks hold or follow the transaction. */
	readonly confirmations: number;
	/** Why the latest attempt failed, and how many did so in a row with an error of the node. */
	readonly failure?: RequestFailure;
	readonly errors: number;
}

const NOTHING_KNOWN: WaitState = { receipt: null, confirmations: 0, errors: 0 };
const POLL_INTERVAL_MS = 1000;
/** A node may stumble now and then, when it is one of many. */
const MAX_NODE_ERRORS = 10;

export const wait = rpc({
	name: 'Wait',
	action: 'Wait for a transaction to confirm',
	description: 'Wait until a transaction has been confirmed, then get its receipt',
	waits: true,
	fields,
	async *run(wanted, chain) {
		const end = Date.now() + wanted.waitFor * POLL_INTERVAL_MS;
		await chain.wait(0);
		let known = await pollReceipt(NOTHING_KNOWN, wanted, chain);
		while (!known.receipt || known.confirmations < wanted.confirmations) {
			const left = end - Date.now();
			if (left <= 0) return await throwNotConfirmed(wanted, known, chain);
			await chain.wait(Math.min(left, POLL_INTERVAL_MS), countCalls(wanted, known));
			known = await pollReceipt(known, wanted, chain);
		}
		yield wanted.simplify ? formatReceipt(known.receipt) : known.receipt;
	},
});

/** The head is asked for when there is a receipt, and only where it matters. */
function countCalls({ confirmations: wanted }: WaitInputs, { receipt }: WaitState): 1 | 2 {
	return receipt && wanted > 1 ? 2 : 1;
}

/** A receipt that is gone again belongs to a block that has left the chain, or the node is behind: both may pass. */
async function pollReceipt(known: WaitState, wanted: WaitInputs, chain: Chain): Promise<WaitState> {
	try {
		const [found, head] = await Promise.all([
			callFresh(chain, 'eth_getTransactionReceipt', wanted.transactionHash),
			countCalls(wanted, known) === 2 ? callFresh(chain, 'eth_blockNumber') : undefined,
		]);
		const receipt = objectOrNullParser('a receipt')(found);
		if (!receipt || isBlank(receipt.blockNumber)) return NOTHING_KNOWN;
		const block = parseBlockNumber(receipt.blockNumber);
		const after = head === undefined ? 0 : parseBlockNumber(head) - block;
		return { receipt, confirmations: after + 1, errors: 0 };
	} catch (failure) {
		if (!(failure instanceof RequestFailure)) return await Promise.reject(failure);
		const errors = failure.retry || failure.maybeExecuted ? known.errors : known.errors + 1;
		const isFinal = errors > MAX_NODE_ERRORS || [401, 403, 404].includes(failure.httpCode ?? 0);
		return isFinal ? await Promise.reject(failure) : { ...known, failure, errors };
	}
}

async function callFresh(chain: Chain, method: string, ...params: readonly string[]) {
	return await chain.call(method, params, { isFresh: true });
}

/** The time is over: says how far it came. */
async function throwNotConfirmed(
	wanted: WaitInputs,
	known: WaitState,
	chain: Chain,
): Promise<never> {
	const { receipt, confirmations: got, failure } = known;
	const time = `after ${wanted.waitFor} s`;
	if (failure) throw withAdvice(failure, `The transaction was not confirmed ${time}.`);
	if (receipt) {
		throw new RequestFailure(
			`The transaction has ${got} of ${wanted.confirmations} confirmations ${time}`,
			{
				description: `It is in block ${parseBlockNumber(receipt.blockNumber)}. 'Wait For' sets how long to wait.`,
			},
		);
	}
	throw new RequestFailure(`The transaction is not in a block ${time}`, {
		description: (await isUnknown(wanted, chain))
			? 'The node does not know it: it was not sent to this chain, or it was dropped or replaced. Send the same signed transaction again: one that is prepared anew may pay twice.'
			: "'Wait For' sets how long to wait.",
	});
}

async function isUnknown({ transactionHash: hash }: WaitInputs, chain: Chain): Promise<boolean> {
	try {
		return (await callFresh(chain, 'eth_getTransactionByHash', hash)) === null;
	} catch (failure) {
		return failure instanceof RequestFailure ? false : await Promise.reject(failure);
	}
}
