import {
	expectDecimals,
	maxRetries,
	methodPrefix,
	optionsField,
	parseWholeAmount,
	pathField,
	timeoutField,
	wholeNumberParser,
	type Field,
} from '../../../nodes/core';

/** For how many minutes back an equal payment is searched for by default. */
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
		{
			name: 'Accepted on L1',
			value: 'acceptedOnL1',
			description: 'The block is proven on the chain below (L1), which takes hours',
		},
		{
			name: 'Accepted on L2',
			value: 'acceptedOnL2',
			description: 'The transaction is in a block of the rollup',
		},
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
		'For how many minutes the same payment by the account is refused, so that running a workflow again does not pay again. Payments are the same if receiver, token, amount and comment are equal.',
	hint: 'The number of minutes to look back for the same payment. 0 switches this check off.',
	parse: wholeNumberParser(0, MAX_GUARD_MINUTES),
} as const satisfies Field;

const minAmount = {
	displayName: 'Min Amount',
	name: 'minAmount',
	type: 'string',
	default: '',
	placeholder: 'e.g. 5',
	description:
		'The smallest balance that is swept. Addresses that hold less are left out, such as those with tiny amounts from strangers.',
	hint: 'In coins or tokens, such as 0.5. An address with a balance below Min Amount is not swept.',
	parse: parseWholeAmount,
} as const satisfies Field;

const path = { ...pathField('/'), show: { '/chain': ['evm', 'stark'] } } as const satisfies Field;
const prefix = { ...methodPrefix, show: { '/chain': ['stark'] } } as const satisfies Field;

const TIMEOUT_MS = 30_000;
const timeout = timeoutField(
	TIMEOUT_MS,
	'How many milliseconds to wait for an answer of the chain node',
);

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

/** The options of all operations. */
export interface PayOptions {
	readonly confirmations?: number;
	readonly until?: 'acceptedOnL1' | 'acceptedOnL2';
	readonly expectDecimals?: number;
	readonly guard?: number;
	readonly speed?: 'fast' | 'normal' | 'slow';
	readonly path?: ReturnType<(typeof path)['parse']>;
	readonly methodPrefix?: string;
}

/** The options that always have a value, whether the user added them or not. */
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
