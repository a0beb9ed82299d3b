import { raise } from '../core/errors/raise';
import type { Field, Params } from '../core/operation/field';
import { encodeFelt, FIELD_PRIME } from '../core/stark/felts';
import { FIRST_MINOR_VERSION_WITH_DATA_GAS } from '../core/stark/invoke';
import { listParser } from '../core/values/json';
import { numberToHex, parseQuantity, parseUint256 } from '../core/values/numbers';
import { InvalidValue, type Parse } from '../core/values/parse';

/** Parses a field element, and formats it as 0x-hex without leading zeros, which strict nodes refuse. */
export const parseFelt: Parse<string> = (given) => {
	const amount = parseUint256(given);
	return amount < FIELD_PRIME
		? encodeFelt(amount)
		: raise(new InvalidValue('a felt: a whole number of 0 or more, up to about 3.6 * 10^75'));
};

function uintParser(bits: number): Parse<string> {
	return (given) => {
		const amount = parseUint256(given);
		return amount < 1n << BigInt(bits)
			? numberToHex(amount)
			: raise(new InvalidValue(`a whole number of 0 or more, below 2^${bits}`));
	};
}

function boundField<const Name extends string, const Title extends string>(
	name: Name,
	displayName: Title,
	bits: number,
	description: string,
) {
	return {
		displayName,
		name,
		type: 'string',
		default: '0x0',
		description,
		parse: uintParser(bits),
	} as const satisfies Field;
}

const MAX_AMOUNT_TEXT = 'The highest amount of this gas';
const MAX_PRICE_TEXT = 'The highest price of this gas, in fri (the smallest unit of the fee token)';

function availabilityField<const Name extends string, const Title extends string>(
	name: Name,
	displayName: Title,
	description: string,
) {
	return {
		displayName,
		name,
		type: 'options',
		default: 'L1',
		description,
		options: [
			{ name: 'L1', value: 'L1' },
			{ name: 'L2', value: 'L2' },
		],
	} as const satisfies Field;
}

function feltListField<const Name extends string, const Title extends string>(
	name: Name,
	displayName: Title,
	description: string,
) {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder: 'e.g. 0x1, 0x2',
		description,
		parse: listParser(parseFelt),
	} as const satisfies Field;
}

/** These fields exist only in version 3 of a transaction. They are empty or zero unless the user adds them. */
const version3Fields = {
	displayName: 'Version 3 Fields',
	name: 'version3',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	show: { version: ['0x3'] },
	options: [
		feltListField(
			'accountDeploymentData',
			'Account Deployment Data',
			'The data for deploying the account of the sender, as comma-separated hex values. Most transactions have no such data.',
		),
		availabilityField(
			'feeDataAvailabilityMode',
			'Fee Data Availability Mode',
			'Where the balance that pays the fee is stored: on the rollup (L2) or on the chain below it (L1)',
		),
		boundField('l1DataGasMaxAmount', 'L1 Data Gas Max Amount', 64, MAX_AMOUNT_TEXT),
		boundField('l1DataGasMaxPrice', 'L1 Data Gas Max Price', 128, MAX_PRICE_TEXT),
		boundField('l1GasMaxAmount', 'L1 Gas Max Amount', 64, MAX_AMOUNT_TEXT),
		boundField('l1GasMaxPrice', 'L1 Gas Max Price', 128, MAX_PRICE_TEXT),
		boundField('l2GasMaxAmount', 'L2 Gas Max Amount', 64, MAX_AMOUNT_TEXT),
		boundField('l2GasMaxPrice', 'L2 Gas Max Price', 128, MAX_PRICE_TEXT),
		availabilityField(
			'nonceDataAvailabilityMode',
			'Nonce Data Availability Mode',
			'Where the number of the transaction (nonce) is stored: on the rollup (L2) or on the chain below it (L1)',
		),
		feltListField(
			'paymasterData',
			'Paymaster Data',
			'The data for a paymaster, which pays the fee for the sender, as comma-separated hex values. Most transactions have no such data.',
		),
		boundField('tip', 'Tip', 64, 'The tip per unit of L2 gas, in fri'),
	],
} as const satisfies Field;

type Version3Inputs = Partial<Params<(typeof version3Fields)['options']>>;

function buildVersion3(given: Version3Inputs, minorVersion: number): object {
	return {
		resource_bounds: {
			l1_gas: buildLimits(given.l1GasMaxAmount, given.l1GasMaxPrice),
			...(minorVersion >= FIRST_MINOR_VERSION_WITH_DATA_GAS && {
				l1_data_gas: buildLimits(given.l1DataGasMaxAmount, given.l1DataGasMaxPrice),
			}),
			l2_gas: buildLimits(given.l2GasMaxAmount, given.l2GasMaxPrice),
		},
		tip: given.tip ?? '0x0',
		paymaster_data: given.paymasterData ?? [],
		account_deployment_data: given.accountDeploymentData ?? [],
		nonce_data_availability_mode: given.nonceDataAvailabilityMode ?? 'L1',
		fee_data_availability_mode: given.feeDataAvailabilityMode ?? 'L1',
	};
}

function buildLimits(amount = '0x0', price = '0x0') {
	return { max_amount: amount, max_price_per_unit: price };
}

const parseFelts = listParser(parseFelt);

const parseVersion = (given: unknown) => {
	const canonical = parseQuantity(given);
	return ['0x1', '0x3'].includes(canonical)
		? canonical
		: raise(
				new InvalidValue("1 or 3: for a transaction of another version, set 'Input Mode' to JSON"),
			);
};

export const transactionFields = {
	displayName: 'Transactions',
	name: 'transactionFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add transaction',
	default: {},
	description: 'The transactions to simulate, in their order',
	show: { inputMode: ['fields'] },
	options: [
		{
			displayName: 'Transaction',
			name: 'transaction',
			values: [
				{
					displayName: 'Calldata',
					name: 'calldata',
					type: 'string',
					default: '',
					placeholder: 'e.g. 0x1, 0x2',
					description: 'The data of the transaction as hex values: comma-separated, or an array',
					parse: parseFelts,
				},
				{
					displayName: 'Max Fee',
					name: 'maxFee',
					type: 'string',
					default: '0x0',
					description: 'The highest fee in wei',
					show: { version: ['0x1'] },
					parse: parseFelt,
				},
				{
					displayName: 'Nonce',
					name: 'nonce',
					type: 'string',
					default: '0x0',
					description: 'The number of the transaction within its account, decimal or 0x-hex',
					parse: parseFelt,
				},
				{
					displayName: 'Sender Address',
					name: 'senderAddress',
					type: 'string',
					required: true,
					default: '',
					placeholder: 'e.g. 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
					description: 'The account that sends the transaction',
					parse: parseFelt,
				},
				{
					displayName: 'Signature',
					name: 'signature',
					type: 'string',
					default: '',
					placeholder: 'e.g. 0x1, 0x2',
					description:
						'The signature of the sender as hex values: comma-separated, or an array. If Simulation Flags contains Skip Validate, you may leave Signature empty.',
					parse: parseFelts,
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'string',
					required: true,
					default: 'INVOKE',
					description: 'The kind of transaction',
				},
				{
					displayName: 'Version',
					name: 'version',
					type: 'options',
					default: '0x1',
					description:
						'The version of the transaction: 3 for current chain nodes, 1 for older chain nodes',
					options: [
						{ name: '1', value: '0x1' },
						{ name: '3', value: '0x3' },
					],
					parse: parseVersion,
				},
				version3Fields,
			],
		},
	],
} as const satisfies Field;

type TransactionInputs = Params<(typeof transactionFields)['options'][0]['values']>;

/**
 * Builds a transaction. The second number of the node's version decides which resources a transaction of version 3
 * may name.
 */
export function buildTransaction(entry: TransactionInputs, minorVersion: number): object {
	return {
		type: entry.type,
		version: entry.version,
		signature: entry.signature,
		sender_address: entry.senderAddress,
		calldata: entry.calldata,
		nonce: entry.nonce,
		...(entry.version === '0x3'
			? buildVersion3(entry.version3 ?? {}, minorVersion)
			: { max_fee: entry.maxFee }),
	};
}
