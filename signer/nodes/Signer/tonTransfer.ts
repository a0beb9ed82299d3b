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
		'The item from the operation Prepare of Chain TON, or only its field <code>transfer</code>. Exactly the fields of the transfer are signed, except <code>says</code>, which describes each message of the transfer to people.',
	parse: preparedParser('tonTransfer', itemParser('transfer', parseTransfer)),
} as const satisfies Field;

const sign = signingOperation({
	name: 'Sign',
	action: 'Sign TON transfer',
	description:
		'Sign a transfer of coins, jettons or NFTs on the TON chain if the rules of the credential allow it. The first transfer of a wallet deploys the wallet. Nothing is sent to a chain: use the operation Send of Chain TON. A refusal names the rule, the request and the limit.',
	fields: [transferField],
	request: (p) => ({ kind: 'tonTransfer', given: p.transfer }),
	answer: (signed) => signed,
});

export const tonTransfer = { name: 'TON Transfer', operations: { sign } };
