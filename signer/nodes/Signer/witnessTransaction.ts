import {
	isRecord,
	json,
	mustBe,
	witnessTransaction as decoded,
	type Field,
	type Read,
} from '../../../nodes/core';
import { signing } from '../core/client';
import { options } from '../core/fields';
import type { GivenWitnessTransaction } from '../core/request';

const asGiven: Read<GivenWitnessTransaction> = (raw) => {
	const given = json(raw);
	if (!isRecord(given)) return mustBe('a transaction as a JSON object');
	const { visible = false, txID, raw_data, raw_data_hex, signature = [] } = given;
	if (!Array.isArray(signature) || signature.length > 0) {
		return mustBe('a transaction that is not signed yet');
	}
	const shape = { visible, txID, raw_data, raw_data_hex };
	return { shape, transaction: decoded(shape) };
};

const transaction = {
	displayName: 'Transaction',
	name: 'transaction',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json }}',
	description:
		'The transaction as Chain Witness Wallet built it. Its bytes are signed, after all that they say was compared with what its JSON says.',
	read: asGiven,
} as const satisfies Field;

const sign = signing({
	name: 'Sign',
	action: 'Sign a witness transaction',
	description:
		'Sign a transaction of the witness chain if the rules of the credential allow it. Nothing is sent to a chain: the operation Broadcast of Chain Witness Wallet does that. A refusal names the rule, what was asked and what is allowed. A key in the credential is needed.',
	fields: [transaction, options],
	request: (p) => ({ ask: 'witnessTransaction', given: p.transaction }),
	answer: (signed) => signed,
});

export const witnessTransaction = { name: 'Witness Transaction', operations: { sign } };
