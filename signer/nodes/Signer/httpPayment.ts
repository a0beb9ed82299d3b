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
	hint: 'The item of HTTP Request, with its options Never Error and Include Response Headers and Status',
	description:
		"The seller's response with status 402 from HTTP Request: its header PAYMENT-REQUIRED (x402 version 2), its JSON body (version 1), or the whole item with both",
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
				'The chain of the offer to accept, as the seller writes it. By default, the first offer that the rules allow is paid.',
			parse: optionalParser(parseText),
		},
		{
			displayName: 'Token',
			name: TOKEN,
			type: 'string',
			default: '',
			placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
			description:
				'The contract address of the token of the offer to accept. By default, the first offer that the rules allow is paid.',
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
		'Sign the payment that a seller asks for over HTTP (x402), if the rules of the credential allow it as a transfer with authorization, and get the header that pays. A refusal names the rule, the request and the limit. A key in the credential is needed.',
	fields: [paymentRequired, choice],
	request: (p) => ({
		kind: 'httpPayment',
		given: { required: p.paymentRequired, network: p.options.network, token: p.options.token },
	}),
	answer: (signed) => signed,
});

export const httpPayment = { name: 'HTTP Payment', operations: { sign } };
