import { objectOrNull, simpleReceipt, type ChainObject } from '../../core/chain/objects';
import { heightOf } from '../../core/chain/blocks';
import { RequestFailure, withAdvice } from '../../core/errors/requestFailure';
import type { Field, Params } from '../../core/operation/field';
import { simplify } from '../../core/operation/sharedFields';
import { path } from '../../core/operation/path';
import { resultOf, type Outcome, type Step, type Turn } from '../../core/operation/step';
import { rpc } from '../../core/rpc/rpc';
import type { RpcRequest } from '../../core/rpc/request';
import { rpcOptions } from '../../core/operation/transportOptions';
import { isBlank, wholeNumber } from '../../core/values/read';
import { transactionHash } from './fields';

const confirmations = {
	displayName: 'Confirmations',
	name: 'confirmations',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description:
		'How many confirmations to wait for. With 1, the transaction only has to be in a block.',
	read: wholeNumber(1),
} as const satisfies Field;

const waitFor = {
	displayName: 'Wait For',
	name: 'waitFor',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 300,
	description: 'How many seconds to wait at most. After that, the item fails.',
	hint: 'In seconds',
	read: wholeNumber(0, 604_800),
} as const satisfies Field;

const fields = [
	transactionHash,
	confirmations,
	waitFor,
	simplify,
	path('/'),
	rpcOptions(),
] as const;
type Wanted = Params<typeof fields>;

/** What is known so far. */
interface Known {
	readonly receipt: ChainObject | null;
	/** How many blocks hold or follow the transaction. */
	readonly confirmations: number;
	/** Why the latest attempt failed, and how many did so in a row with an error of the node. */
	readonly failure?: RequestFailure;
	readonly errors: number;
}

const SECOND = 1000;
/** A node may stumble now and then, when it is one of many. */
const MOST_ERRORS = 10;

export const wait = rpc({
	name: 'Wait',
	action: 'Wait for a transaction',
	description: 'Wait until a transaction has been confirmed, then get its receipt',
	waits: true,
	fields,
	begin: (wanted) => ask(wanted, { receipt: null, confirmations: 0, errors: 0 }, 0),
});

/** Asks for the receipt and, once there is one, for the head, until there are enough confirmations. */
function ask(wanted: Wanted, known: Known, after: number): Step<RpcRequest> {
	const receipt = call(wanted, 'eth_getTransactionReceipt', wanted.transactionHash);
	const head = call(wanted, 'eth_blockNumber');
	return {
		after,
		requests: known.receipt && wanted.confirmations > 1 ? [receipt, head] : [receipt],
		next: (outcomes, { elapsed }) => {
			const now = learned(known, outcomes);
			if (now.receipt && now.confirmations >= wanted.confirmations) {
				return { things: [wanted.simplify ? simpleReceipt(now.receipt) : now.receipt] };
			}
			const left = wanted.waitFor * SECOND - elapsed;
			return {
				things: [],
				then: left > 0 ? ask(wanted, now, Math.min(left, SECOND)) : giveUp(wanted, now),
			};
		},
	};
}

function call({ path: at }: Wanted, method: string, ...params: readonly string[]): RpcRequest {
	return { path: at, method, params, isFresh: true };
}

/** A receipt that is gone again belongs to a block that has left the chain, or the node is behind: both may pass. */
function learned(known: Known, outcomes: readonly Outcome[]): Known {
	try {
		const [found, head] = outcomes.map(resultOf);
		const receipt = objectOrNull('a receipt')(found);
		if (!receipt || isBlank(receipt.blockNumber))
			return { receipt: null, confirmations: 0, errors: 0 };
		const block = heightOf(receipt.blockNumber);
		const after = head === undefined ? 0 : heightOf(head) - block;
		return { receipt, confirmations: after + 1, errors: 0 };
	} catch (failure) {
		if (!(failure instanceof RequestFailure)) return rethrow(failure);
		const errors = failure.retry || failure.maybeExecuted ? known.errors : known.errors + 1;
		const isFinal = errors > MOST_ERRORS || [401, 403, 404].includes(failure.httpCode ?? 0);
		return isFinal ? rethrow(failure) : { ...known, failure, errors };
	}
}

/** The time is over: says how far it came. */
function giveUp(wanted: Wanted, { receipt, confirmations: got, failure }: Known): Step<RpcRequest> {
	const time = `after ${wanted.waitFor} s`;
	if (failure) throw withAdvice(failure, `The transaction was not confirmed ${time}.`);
	if (receipt) {
		throw new RequestFailure(
			`The transaction has ${got} of ${wanted.confirmations} confirmations ${time}`,
			{
				description: `It is in block ${heightOf(receipt.blockNumber)}. 'Wait For' sets how long to wait.`,
			},
		);
	}
	return {
		requests: [call(wanted, 'eth_getTransactionByHash', wanted.transactionHash)],
		next: ([found]): Turn<RpcRequest> => {
			throw new RequestFailure(`The transaction is not in a block ${time}`, {
				description:
					found && 'result' in found && found.result === null
						? 'The node does not know it: it was not sent to this chain, or it was dropped or replaced.'
						: "'Wait For' sets how long to wait.",
			});
		},
	};
}

function rethrow(failure: unknown): never {
	throw failure;
}
