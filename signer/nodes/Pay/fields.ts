import {
	amountTextParser,
	exactTextParser,
	parseComment,
	parseText,
	waitFor as usualWaitFor,
	type Family,
	type SweptFamily,
	type Field,
	type Parse,
	FAMILIES,
	SWEEPS,
	InvalidValue,
	raise,
} from '../../../nodes/core';
import { parseIndexes } from './indexes';
import { PAY_FORMS, LISTED_FAMILIES } from './forms';

/** Chooses the family of chains, and thereby the signer and the protocol of the node. */
export const chain = {
	displayName: 'Chain',
	name: 'chain',
	type: 'options',
	default: 'evm',
	noDataExpression: true,
	description:
		'The kind of chain. The credential of the chain node decides which chain of this kind it is.',
	options: LISTED_FAMILIES.map(buildChoice),
} as const satisfies Field;

const SWEPT_FAMILIES = LISTED_FAMILIES.filter((family): family is SweptFamily => family in SWEEPS);

/** The field Chain of the operation Sweep. It offers only the families whose addresses can be swept. */
export const sweptChain = {
	...chain,
	options: SWEPT_FAMILIES.map(buildChoice),
} as const satisfies Field;

function buildChoice<Name extends Family>(value: Name) {
	return { name: FAMILIES[value].name, value, description: PAY_FORMS[value].description };
}

/** Chooses the credential that signs. */
export const signWith = {
	displayName: 'Sign With',
	name: 'signWith',
	type: 'options',
	default: 'key',
	noDataExpression: true,
	description: 'What signs the payment, within the rules of its credential',
	options: [
		{ name: 'Key', value: 'key', description: 'The private key is in the credential' },
		{
			name: 'Remote Signer',
			value: 'remote',
			description: 'The key stays with a signer such as Web3Signer',
		},
	],
	show: { chain: ['evm'] },
} as const satisfies Field;

/** Reads the chosen operation, to find the needed credentials. The menu of operations has a definition of its own. */
export const operation = {
	displayName: 'Operation',
	name: 'operation',
	type: 'string',
	default: '',
} as const satisfies Field;

/** The name is a constant because n8n's lint would take the literal text 'token' in a field for a secret. */
const TOKEN = 'token';

/** The same field on each chain, with the kind and the address of a token there. */
function tokenField(family: Family) {
	const { kind, address } = PAY_FORMS[family].token;
	return {
		displayName: 'Token',
		name: TOKEN,
		type: 'string',
		default: '',
		placeholder: `e.g. ${address}`,
		description: `The contract address of the token (${kind})`,
		hint: 'Empty: the coin of the chain',
		show: { chain: [family] },
		parse: parseText,
	} as const satisfies Field;
}

/** Builds the field To of a family, with an example of an address on its chains. */
function receiverField(family: Family) {
	return {
		displayName: 'To',
		name: 'to',
		type: 'string',
		required: true,
		default: '',
		placeholder: `e.g. ${PAY_FORMS[family].receiver}`,
		description: 'The account that receives the payment, as wallets of the chain show it',
		show: { chain: [family] },
		parse: parseText,
	} as const satisfies Field;
}

const tokens = LISTED_FAMILIES.map(tokenField);
const receivers = LISTED_FAMILIES.map(receiverField);

const EXPECTED_AMOUNT = 'an amount above 0, such as 1.5';
const parseAmountText = amountTextParser(EXPECTED_AMOUNT);

const parseAmount: Parse<string> = (given) => {
	const text = parseAmountText(given);
	return /[1-9]/.test(text) ? text : raise(new InvalidValue(EXPECTED_AMOUNT));
};

const amount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1.5',
	description: 'How much to pay',
	hint: 'In coins or tokens, such as 1.5',
	parse: parseAmount,
} as const satisfies Field;

const comment = {
	displayName: 'Comment',
	name: 'comment',
	type: 'string',
	default: '',
	placeholder: 'e.g. Invoice 42',
	description:
		'The comment that the receiver reads with the payment. Everybody else can read it as well.',
	show: { chain: LISTED_FAMILIES.filter((family) => PAY_FORMS[family].takesComment) },
	parse: parseComment,
} as const satisfies Field;

/** A payment ID, such as an invoice number, is far shorter than this limit in bytes. */
const parseIdBytes = exactTextParser(10_000);

export const paymentId = {
	displayName: 'Payment ID',
	name: 'paymentId',
	type: 'string',
	default: '',
	placeholder: 'e.g. invoice-42',
	description:
		'Your own ID, such as an invoice number. If several executions run at once, a payment with the same ID is made once.',
	parse: (given: unknown) => parseIdBytes(given).toString(),
} as const satisfies Field;

export const sweptTokens = SWEPT_FAMILIES.map(
	(family) => tokens[LISTED_FAMILIES.indexOf(family)] ?? tokenField(family),
);

export const indexes = {
	displayName: 'Indexes',
	name: 'indexes',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0-99, 120',
	description:
		'Which deposit addresses to sweep, by their indexes: numbers and ranges, at most 1000 addresses',
	parse: parseIndexes,
} as const satisfies Field;

export const paymentFields = [...receivers, amount, ...tokens, comment, paymentId] as const;

export const signedTransaction = {
	displayName: 'Signed Transaction',
	name: 'signedTransaction',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	default: '={{ $json.signedTransaction }}',
	description: 'The signed transaction of a payment whose status is unknown, as Pay gives it',
	builderHint: {
		propertyHint: 'Leave it out where the item of pay comes in.',
		placeholderSupported: false,
	},
	// Its family parses it.
	parse: (given: unknown) => given,
} as const satisfies Field;

const DEFAULT_WAIT_SECONDS = 180;

export const waitFor = {
	...usualWaitFor,
	default: DEFAULT_WAIT_SECONDS,
	description:
		'How many seconds to wait at most for the result of the payment. If there is no result by then, the status is unknown.',
} as const satisfies Field;
