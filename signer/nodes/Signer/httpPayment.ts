import {
	optionalParser,
	optionsField,
	parseEvmAddress,
	parsePaymentRequired,
	parseText,
	type Field,
} from '../../../nodes/core';
import { signingOperation } from '../core/client';

const paymentRequired = {
	displayName: 'Payment Required',
	name: 'paymentRequired',
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	default: '={{ $json }}',
	placeholder: "e.g. {{ $json.headers['payment-required'] ?? $json.body }}",
	hint: 'Enter the item from HTTP Request. Switch on its options Never Error and Include Response Headers and Status.',
	description:
		'The item from HTTP Request with the response (status 402) in which a seller asks for a payment. The header PAYMENT-REQUIRED alone (version 2 of the protocol x402) or the JSON body alone (version 1) is enough.',
	parse: parsePaymentRequired,
} as const satisfies Field;

/** The name is a constant because n8n's lint would take the literal text 'token' in a field for a secret. */
const TOKEN = 'token';

const OTHER_RESOURCES = [
	'account',
	'message',
	'prepared',
	'starkTransaction',
	'tonTransfer',
	'transaction',
	'typedData',
	'witnessTransaction',
];

const choice = {
	...optionsField([
		{
			displayName: 'Network',
			name: 'network',
			type: 'string',
			default: '',
			placeholder: 'e.g. eip155:8453',
			description:
				"The chain to pay on, if the seller offers several: its name in the seller's response, such as base or eip155:8453. By default, the first offer that the rules allow is paid.",
			parse: optionalParser(parseText),
		},
		{
			displayName: 'Token',
			name: TOKEN,
			type: 'string',
			default: '',
			placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
			description:
				'The contract address of the token to pay with, if the seller offers several. By default, the first offer that the rules allow is paid.',
			parse: optionalParser(parseEvmAddress),
		},
	] as const),
	// The resources stand under `hide`. Under `show`, `resource` would not be read, because it is no field of the operation.
	hide: { resource: OTHER_RESOURCES },
} as const satisfies Field;

const sign = signingOperation({
	name: 'Sign',
	action: 'Sign payment over HTTP (x402)',
	description:
		'Sign the token payment that a seller asks for over HTTP (x402), and get the header that pays. The rules of the credential must allow the payment as a Transfer with Authorization (EIP-3009): a payment by signature. A refusal names the rule, the request and the limit. A remote signer cannot sign HTTP payments.',
	fields: [paymentRequired, choice],
	request: (p) => ({
		kind: 'httpPayment',
		given: { required: p.paymentRequired, network: p.options.network, token: p.options.token },
	}),
	answer: (signed) => signed,
});

export const httpPayment = { name: 'HTTP Payment', operations: { sign } };
