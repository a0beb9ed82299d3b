import { isRecord, parseUnsignedWitness, type Field } from '../../../nodes/core';
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
		'The item that Chain Witness Wallet built, or only its field <code>transaction</code>. The bytes in <code>raw_data_hex</code> are signed only if they match the readable fields in <code>raw_data</code>.',
	parse: preparedParser('witnessTransaction', parseUnsignedWitness),
} as const satisfies Field;

/** Puts the signed transaction under `transaction` for the next node, and its members beside it. */
export const formatSignedWitness = (signed: unknown) =>
	isRecord(signed) ? { transaction: signed, ...signed } : signed;

const sign = signingOperation({
	name: 'Sign',
	action: 'Sign witness transaction',
	description:
		'Sign a TRON transaction if the rules of the credential allow it. Nothing is sent to a chain: use the operation Send of Chain Witness Wallet. A refusal names the rule, the request and the limit. A remote signer cannot sign for TRON.',
	fields: [transactionField, remoteOptions],
	request: (p) => ({ kind: 'witnessTransaction', given: p.transaction }),
	answer: formatSignedWitness,
});

export const witnessTransaction = { name: 'Witness Transaction', operations: { sign } };
