import { evmTransactionParser, type Field } from '../../../nodes/core';
import { signingOperation } from '../core/client';
import { options } from '../core/fields';
import { preparedParser } from '../core/prepared';

const transactionField = {
	displayName: 'Transaction',
	name: 'transaction',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '={{ $json.transaction }}',
	placeholder: 'e.g. {{ $json.transaction }}',
	description:
		'The transaction as the operation Prepare of Chain EVM RPC gives it, alone or in its item. Exactly its fields are signed.',
	parse: preparedParser('transaction', evmTransactionParser('Transaction')),
} as const satisfies Field;

const sign = signingOperation({
	name: 'Sign',
	action: 'Sign EVM transaction',
	description:
		'Sign an EVM transaction if the rules of the credential allow it. Nothing is sent to a chain: the operation Send of Chain EVM RPC does that. A refusal names the rule, what was asked and what is allowed.',
	fields: [transactionField, options],
	request: (p) => ({ kind: 'transaction', given: p.transaction }),
	answer: (signed) => signed,
});

export const transaction = { name: 'Transaction', operations: { sign } };
