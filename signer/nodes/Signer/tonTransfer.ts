import { itemParser, parseTransfer, type Field } from '../../../nodes/core';
import { signingOperation } from '../core/client';
import { preparedParser } from '../core/prepared';

const transferField = {
	displayName: 'Transfer',
	name: 'transfer',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '={{ $json.transfer }}',
	placeholder: 'e.g. {{ $json.transfer }}',
	description:
		'The transfer as the operation Prepare of Chain TON gives it, alone or in its item. Exactly its fields are signed, without the sentences (says).',
	parse: preparedParser('tonTransfer', itemParser('transfer', parseTransfer)),
} as const satisfies Field;

const sign = signingOperation({
	name: 'Sign',
	action: 'Sign TON transfer',
	description:
		'Sign a transfer of coins, jettons or NFTs on the TON chain if the rules of the credential allow it; the first one of a wallet deploys it. Nothing is sent to a chain: the operation Send of Chain TON does that. A refusal names the rule, what was asked and what is allowed.',
	fields: [transferField],
	request: (p) => ({ kind: 'tonTransfer', given: p.transfer }),
	answer: (signed) => signed,
});

export const tonTransfer = { name: 'TON Transfer', operations: { sign } };
