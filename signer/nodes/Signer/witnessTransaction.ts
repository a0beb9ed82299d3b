import type { Field } from '../../../nodes/core';
import { signingOperation } from '../core/client';
import { options } from '../core/fields';
import { parseUnsignedWitness } from '../core/witnessTransaction';

const transactionField = {
	displayName: 'Transaction',
	name: 'transaction',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json }}',
	hint: 'Switch to Expression: it is the whole item',
	description:
		'The transaction as Chain Witness Wallet built it. Its bytes are signed, after all that they say was compared with what its JSON says.',
	parse: parseUnsignedWitness,
} as const satisfies Field;

const sign = signingOperation({
	name: 'Sign',
	action: 'Sign a witness transaction',
	description:
		'Sign a transaction of the witness chain if the rules of the credential allow it. Nothing is sent to a chain: the operation Broadcast of Chain Witness Wallet does that. A refusal names the rule, what was asked and what is allowed. A key in the credential is needed.',
	fields: [transactionField, options],
	request: (p) => ({ kind: 'witnessTransaction', given: p.transaction }),
	answer: (signed) => signed,
});

export const witnessTransaction = { name: 'Witness Transaction', operations: { sign } };
