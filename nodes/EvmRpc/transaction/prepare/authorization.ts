import { parseAuthorization } from '../../../core/evm/httpPayment/authorization';
import { planAuthorization } from '../../../core/evm/httpPayment/settlement';
import type { Field } from '../../../core/operation/field';
import { parseHexBytes } from '../../../core/values/hex';
import { parseJsonValue } from '../../../core/values/json';
import { addressField, transactionKind } from './transactionKind';
import { TOKEN_NAME } from '../../../fields/tokenNames';

const signedAuthorization = {
	displayName: 'Authorization',
	name: 'authorization',
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	default: '={{ $json.authorization }}',
	placeholder: 'e.g. {{ $json.authorization }}',
	description: 'The signed transfer, as JSON from the operation HTTP Payment: Verify',
	parse: (given: unknown) => parseAuthorization(parseJsonValue(given)),
} as const satisfies Field;

const signature = {
	displayName: 'Signature',
	name: 'signature',
	type: 'string',
	required: true,
	default: '={{ $json.signature }}',
	placeholder: 'e.g. 0xd05c1b5b4b1b6f2e…',
	description: 'The signature of the transfer in Authorization, as 0x-hex',
	parse: parseHexBytes,
} as const satisfies Field;

export const authorization = transactionKind({
	name: 'Authorization',
	description:
		'Carry out a token transfer that the owner of the tokens has authorized by a signature (EIP-3009)',
	fields: [
		signedAuthorization,
		signature,
		{
			...addressField,
			displayName: 'Token',
			name: TOKEN_NAME,
			placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
			description: 'The contract address of the token',
		},
	],
	intent: planAuthorization,
});
