import { itemParser, parseStarkInvoke, type Field } from '../../../nodes/core';
import { signingOperation } from '../core/client';
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
		'The item from the operation Prepare of Chain STARK, or only its field <code>transaction</code>. Exactly the fields of the transaction are signed.',
	parse: preparedParser('starkTransaction', itemParser('transaction', parseStarkInvoke)),
} as const satisfies Field;

const sign = signingOperation({
	name: 'Sign',
	action: 'Sign STARK transaction',
	description:
		'Sign a transaction of a STARK rollup, if the rules of the credential allow each of its calls. Nothing is sent to a chain: use the operation Send of Chain STARK. A refusal names the rule, the request and the limit.',
	fields: [transactionField],
	request: (p) => ({ kind: 'starkTransaction', given: p.transaction }),
	answer: (signed) => signed,
});

export const starkTransaction = { name: 'STARK Transaction', operations: { sign } };
