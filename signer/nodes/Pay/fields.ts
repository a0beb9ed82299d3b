import {
	amountTextParser,
	expectDecimals,
	maxRetries,
	methodPrefix,
	optionsField,
	exactTextParser,
	parseComment,
	parseText,
	parseWholeAmount,
	pathField,
	timeoutField,
	waitFor as usualWaitFor,
	wholeNumberParser,
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
	description: 'The family of the chain. The credential of the node decides which chain it is.',
	options: LISTED_FAMILIES.map(buildChoice),
} as const satisfies Field;

const SWEPT_FAMILIES = LISTED_FAMILIES.filter((family): family is SweptFamily => family in SWEEPS);

/** The same for addresses that are swept. */
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

/** n8n draws this menu. It is read here to find the needed credentials. */
export const operation = {
	displayName: 'Operation',
	name: 'operation',
	type: 'string',
	default: '',
} as const satisfies Field;

/** It is defined apart from its field, because n8n's lint takes the name of a token for a secret. */
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

/** The same field on each chain, with an address as its wallets show it. */
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
	hint: 'In whole coins or tokens',
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

/** More than any invoice number has. */
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
	description: 'Which addresses of the account to sweep: indexes and ranges, at most 1000',
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
		'How many seconds to wait at most until the chain has decided. After that, the status is unknown.',
} as const satisfies Field;

/** How far back the same payment is searched for, in minutes. */
const DEFAULT_GUARD_MINUTES = 10;
const MAX_GUARD_MINUTES = 1440;

const confirmations = {
	displayName: 'Confirmations',
	name: 'confirmations',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description:
		'How many confirmations the payment needs. With 1, the payment only has to be in a block.',
	show: { '/chain': ['evm'] },
	parse: wholeNumberParser(1),
} as const satisfies Field;

const until = {
	displayName: 'Until',
	name: 'until',
	type: 'options',
	default: 'acceptedOnL2',
	description: 'The status that the payment must reach',
	show: { '/chain': ['stark'] },
	options: [
		{ name: 'Accepted on L1', value: 'acceptedOnL1', description: 'Proven, which takes hours' },
		{ name: 'Accepted on L2', value: 'acceptedOnL2', description: 'In a block of this chain' },
	],
} as const satisfies Field;

const speed = {
	displayName: 'Speed',
	name: 'speed',
	type: 'options',
	default: 'normal',
	description: 'How high a fee to offer, compared with the last blocks',
	show: { '/chain': ['evm'] },
	options: [
		{ name: 'Fast', value: 'fast' },
		{ name: 'Normal', value: 'normal' },
		{ name: 'Slow', value: 'slow' },
	],
} as const satisfies Field;

const guard = {
	displayName: 'Guard',
	name: 'guard',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: MAX_GUARD_MINUTES },
	default: DEFAULT_GUARD_MINUTES,
	description:
		'For how many minutes the same payment (to, token, amount and comment) by this account is refused, so that running a workflow again does not pay again',
	hint: 'In minutes; 0 does not look',
	parse: wholeNumberParser(0, MAX_GUARD_MINUTES),
} as const satisfies Field;

const minAmount = {
	displayName: 'Min Amount',
	name: 'minAmount',
	type: 'string',
	default: '',
	placeholder: 'e.g. 5',
	description:
		'An address that holds less is left alone. It may hold only dust that strangers sent.',
	hint: 'In whole coins or tokens',
	parse: parseWholeAmount,
} as const satisfies Field;

const path = { ...pathField('/'), show: { '/chain': ['evm', 'stark'] } } as const satisfies Field;
const prefix = { ...methodPrefix, show: { '/chain': ['stark'] } } as const satisfies Field;

const TIMEOUT_MS = 30_000;
const timeout = timeoutField(TIMEOUT_MS, 'How many milliseconds to wait for an answer of the node');

const chainOptions = [path, prefix, timeout, maxRetries] as const;
const endOptions = [confirmations, until] as const;

export const payOptions = optionsField([
	...endOptions,
	expectDecimals,
	guard,
	speed,
	...chainOptions,
] as const);
export const previewOptions = optionsField([
	expectDecimals,
	guard,
	speed,
	...chainOptions,
] as const);
export const sweepOptions = optionsField([
	confirmations,
	minAmount,
	speed,
	path,
	timeout,
	maxRetries,
] as const);
export const finishOptions = optionsField([...endOptions, ...chainOptions] as const);

/** The options that any operation may have. */
export interface PayOptions {
	readonly confirmations?: number;
	readonly until?: 'acceptedOnL1' | 'acceptedOnL2';
	readonly expectDecimals?: number;
	readonly guard?: number;
	readonly speed?: 'fast' | 'normal' | 'slow';
	readonly path?: ReturnType<(typeof path)['parse']>;
	readonly methodPrefix?: string;
}

/** The options of which each has a value, whether the user added it or not. */
export type DefaultedOptions = Required<Omit<PayOptions, 'expectDecimals'>>;

/** The values of options that the user did not add. */
export const DEFAULT_OPTIONS = {
	confirmations: confirmations.default,
	until: until.default,
	guard: guard.default,
	speed: speed.default,
	path: path.parse(path.default),
	methodPrefix: methodPrefix.default,
} as const satisfies DefaultedOptions;
