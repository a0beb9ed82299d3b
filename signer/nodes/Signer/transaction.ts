import { evmTransactionParser, type Field } from '../../../nodes/core';
import { signingOperation } from '../core/client';
import { remoteOptions } from '../core/fields';
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
		'The item from the operation Prepare of Chain EVM RPC, or only its field <code>transaction</code>. Exactly the fields of the transaction are signed.',
	parse: preparedParser('transaction', evmTransactionParser('Transaction')),
} as const satisfies Field;

const sign = signingOperation({
	name: 'Sign',
	action: 'Sign EVM transaction',
	description:
		'Sign an EVM transaction if the rules of the credential allow it. Nothing is sent to a chain: use the operation Send of Chain EVM RPC. A refusal names the rule, the request and the limit.',
	fields: [transactionField, remoteOptions],
	request: (p) => ({ kind: 'transaction', given: p.transaction }),
	answer: (signed) => signed,
});

export const transaction = { name: 'Transaction', operations: { sign } };
