import { objectOrNullParser, formatReceipt, type ChainObject } from '../../core/evm/objects';
import { parseBlockNumber } from '../../core/evm/blocks';
import { RequestFailure, withAdvice } from '../../core/errors/requestFailure';
import type { Field, Params } from '../../core/operation/field';
import { simplify, waitFor } from '../../core/operation/sharedFields';
import { pathField } from '../../core/operation/path';
import { rpc, type Chain } from '../../core/transport/rpc/chain';
import { rpcOptions } from '../../core/operation/transportOptions';
import { isBlank, wholeNumberParser, throwAgain } from '../../core/values/parse';
import { waitUntil } from '../../core/waiting';
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

const fields = [
	transactionHash,
	confirmations,
	waitFor,
	simplify,
	pathField('/'),
	rpcOptions(),
] as const;
type WaitInputs = Params<typeof fields>;

/** What is known of the transaction. */
interface Confirmation {
	readonly receipt: ChainObject | null;
	/** How many blocks hold or follow it. */
	readonly confirmations: number;
}

interface ConfirmedTransaction extends Confirmation {
	readonly receipt: ChainObject;
}

const NOT_IN_BLOCK: Confirmation = { receipt: null, confirmations: 0 };

export const wait = rpc({
	name: 'Wait',
	action: 'Wait for a transaction to confirm',
	description: 'Wait until a transaction has been confirmed, then get its receipt',
	waits: true,
	fields,
	async *run(p, chain) {
		const { receipt } = await waitUntil(chain, {
			seconds: p.waitFor,
			initial: NOT_IN_BLOCK,
			read: async (known) => await readConfirmation(known, p, chain),
			isDone: (known): known is ConfirmedTransaction =>
				known.receipt !== null && known.confirmations >= p.confirmations,
			countCalls: (known) => countCalls(p, known),
			throwTimeout: async (known, failure) => await throwNotConfirmed(p, chain, known, failure),
		});
		yield p.simplify ? formatReceipt(receipt) : receipt;
	},
});

/** The head is asked for when there is a receipt, and only where it matters. */
function countCalls({ confirmations: wanted }: WaitInputs, { receipt }: Confirmation): 1 | 2 {
	return receipt && wanted > 1 ? 2 : 1;
}

/** A receipt that is gone again belongs to a block that has left the chain, or the node is behind: both may pass. */
async function readConfirmation(
	known: Confirmation,
	wanted: WaitInputs,
	chain: Chain,
): Promise<Confirmation> {
	const [found, head] = await Promise.all([
		callFresh(chain, 'eth_getTransactionReceipt', wanted.transactionHash),
		countCalls(wanted, known) === 2 ? callFresh(chain, 'eth_blockNumber') : undefined,
	]);
	const receipt = objectOrNullParser('a receipt')(found);
	if (!receipt || isBlank(receipt.blockNumber)) return NOT_IN_BLOCK;
	const block = parseBlockNumber(receipt.blockNumber);
	const after = head === undefined ? 0 : parseBlockNumber(head) - block;
	return { receipt, confirmations: after + 1 };
}

async function callFresh(chain: Chain, method: string, ...params: readonly string[]) {
	return await chain.call(method, params, { isFresh: true });
}

/** The time is over: says how far it came. */
async function throwNotConfirmed(
	wanted: WaitInputs,
	chain: Chain,
	{ receipt, confirmations: got }: Confirmation,
	failure?: RequestFailure,
): Promise<never> {
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
		return failure instanceof RequestFailure ? false : throwAgain(failure);
	}
}
