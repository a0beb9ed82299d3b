import type { Field } from '../core/operation/field';
import { simplify, waitFor } from '../core/operation/sharedFields';
import { parseFeltHash } from '../core/stark/felts';
import {
	formatTransactionState,
	readTransaction,
	readTransactionState,
} from '../core/stark/transactions';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { waitForTransaction } from '../core/stark/wait';
import { openNode, prefixOptions, path } from './fields';
import { prepare } from './prepare/prepare';
import { send } from './send';

export const transactionHash = {
	displayName: 'Transaction Hash',
	name: 'transactionHash',
	type: 'string',
	required: true,
	default: '={{ $json.transactionHash }}',
	placeholder: 'e.g. 0x07c5a35e9cb3e8ae0e221ab470abae9d446c3a5626ce6689fc777dcffcab52c7',
	description: 'The hash of the transaction',
	parse: parseFeltHash,
} as const satisfies Field;

const get = rpcOperation({
	name: 'Get',
	action: 'Get transaction',
	description: 'Get the status of a transaction, whether it succeeded, its fee and its events',
	fields: [transactionHash, simplify, path, prefixOptions],
	async *run(p, chain) {
		const reader = openNode(chain, p);
		if (!p.simplify) {
			yield await readTransaction(reader, p.transactionHash);
			return;
		}
		const state = await readTransactionState(reader, p.transactionHash);
		yield state && (await formatTransactionState(reader, p.transactionHash, state));
	},
});

const until = {
	displayName: 'Until',
	name: 'until',
	type: 'options',
	default: 'acceptedOnL2',
	description: 'The status that the transaction must reach',
	options: [
		{
			name: 'Accepted on L1',
			value: 'acceptedOnL1',
			description:
				"The transaction's block is proven on the chain below (L1, such as Ethereum), which takes hours",
		},
		{
			name: 'Accepted on L2',
			value: 'acceptedOnL2',
			description: 'The transaction is in a block of the rollup (L2)',
		},
	],
} as const satisfies Field;

const wait = rpcOperation({
	name: 'Wait',
	action: 'Wait for transaction to confirm',
	description:
		'Wait until a transaction is in a block, then get whether it succeeded, or the reason of its failure',
	waits: true,
	fields: [transactionHash, until, waitFor, simplify, path, prefixOptions],
	async *run(p, chain) {
		const reader = openNode(chain, p);
		const { transactionHash: hash, waitFor: seconds } = p;
		const state = await waitForTransaction(chain, reader, { hash, until: p.until, seconds });
		yield p.simplify
			? await formatTransactionState(reader, hash, state)
			: (state.receipt ?? state.stage);
	},
});

export const transaction = { name: 'Transaction', operations: { get, prepare, send, wait } };
