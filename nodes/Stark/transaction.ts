import { RequestFailure, withAdvice } from '../core/errors/requestFailure';
import type { Field, Params } from '../core/operation/field';
import { simplify, waitFor } from '../core/operation/sharedFields';
import { formatFelt, parseFeltHash } from '../core/stark/felts';
import {
	formatTransactionState,
	readTransaction,
	readTransactionState,
	type TransactionState,
} from '../core/stark/transactions';
import { rpc } from '../core/protocols/rpc/operation';
import { waitUntil } from '../core/chain/waiting';
import { openNode, options, path } from './fields';
import { prepare } from './prepare/prepare';
import { send } from './send';

export const transactionHash = {
	displayName: 'Transaction Hash',
	name: 'transactionHash',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x07c5a35e9cb3e8ae0e221ab470abae9d446c3a5626ce6689fc777dcffcab52c7',
	description: 'The hash of the transaction',
	parse: parseFeltHash,
} as const satisfies Field;

const get = rpc({
	name: 'Get',
	action: 'Get a transaction',
	description: 'Get how far a transaction has come, whether it succeeded, its fee and its events',
	fields: [transactionHash, simplify, path, options],
	async *run(p, chain) {
		const node = openNode(chain, p);
		if (!p.simplify) {
			yield await readTransaction(node, p.transactionHash);
			return;
		}
		const state = await readTransactionState(node, p.transactionHash);
		yield state && (await formatTransactionState(node, p.transactionHash, state));
	},
});

const until = {
	displayName: 'Until',
	name: 'until',
	type: 'options',
	default: 'acceptedOnL2',
	description: 'How far the transaction must have come',
	options: [
		{ name: 'Accepted on L1', value: 'acceptedOnL1', description: 'Proven, which takes hours' },
		{ name: 'Accepted on L2', value: 'acceptedOnL2', description: 'In a block of this chain' },
	],
} as const satisfies Field;

const waitFields = [transactionHash, until, waitFor, simplify, path, options] as const;

const wait = rpc({
	name: 'Wait',
	action: 'Wait for a transaction to confirm',
	description: 'Wait until a transaction is in a block, then get whether it succeeded and why not',
	waits: true,
	fields: waitFields,
	async *run(p, chain) {
		const node = openNode(chain, p);
		const state = await waitUntil(chain, {
			seconds: p.waitFor,
			initial: null,
			read: async () => await readTransactionState(node, p.transactionHash),
			isDone: (known): known is TransactionState => known !== null && isFarEnough(p.until, known),
			countCalls: () => CALLS_PER_READ,
			throwTimeout: async (known, failure) =>
				await Promise.reject(notAcceptedError(p, known, failure)),
		});
		yield p.simplify
			? await formatTransactionState(node, p.transactionHash, state)
			: (state.receipt ?? state.stage);
	},
});

/** The status and the receipt. */
const CALLS_PER_READ = 2;

function isFarEnough(
	wanted: 'acceptedOnL1' | 'acceptedOnL2',
	{ status }: TransactionState,
): boolean {
	return status === 'rejected' || status === 'acceptedOnL1' || status === wanted;
}

type WaitInputs = Params<typeof waitFields>;

function notAcceptedError(
	{ waitFor: seconds, transactionHash: hash }: WaitInputs,
	state: TransactionState | null,
	failure?: RequestFailure,
): RequestFailure {
	const time = `after ${seconds} s`;
	if (failure) return withAdvice(failure, `The transaction was not accepted ${time}.`);
	if (state)
		return new RequestFailure(`The transaction is ${state.status} ${time}`, {
			description: "'Wait For' sets how long to wait.",
		});
	return new RequestFailure(`The node does not know the transaction ${time}`, {
		description: `${formatFelt(hash)} was not sent to this chain, or it was dropped. Send the same signed transaction again: one that is prepared anew may pay twice.`,
	});
}

export const transaction = { name: 'Transaction', operations: { get, prepare, send, wait } };
