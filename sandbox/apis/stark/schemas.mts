import { closedObject } from '../../http/schemas.mts';
import { tuple } from '../../jsonRpc/calls.mts';

/** A felt has at most 252 bits; leading zeros are allowed, because padded addresses are common. */
const felt = {
	type: 'string',
	pattern: '^0x[0-9a-fA-F]{1,64}$',
	description: 'a hex string of at most 64 digits',
};

const felts = { type: 'array', items: felt, description: 'an array of hex strings' };

export const objectWith = (name: string, value: object) => closedObject({ [name]: value }, [name]);

const block = {
	description: 'a block selector: {block_number}, {block_hash} or a tag',
	anyOf: [
		objectWith('block_number', { type: 'integer', minimum: 0 }),
		objectWith('block_hash', felt),
		{ enum: ['latest', 'pending', 'pre_confirmed', 'l1_accepted'] },
	],
};

/** The document shows this kind alone, field by field. */
const documentedInvoke = {
	additionalProperties: false,
	required: ['max_fee', 'signature', 'sender_address', 'calldata', 'nonce'],
	properties: {
		type: true,
		version: true,
		max_fee: felt,
		signature: felts,
		sender_address: felt,
		calldata: felts,
		nonce: felt,
	},
};

const resourceLimits = {
	...closedObject({ max_amount: felt, max_price_per_unit: felt }, [
		'max_amount',
		'max_price_per_unit',
	]),
	description: 'an object of max_amount and max_price_per_unit',
};

const availability = { enum: ['L1', 'L2'], description: 'L1 or L2' };

/** The nodes of today take these parameters, field by field, by the published interface of the chain. */
const invoke3 = {
	additionalProperties: false,
	required: [
		'resource_bounds',
		'tip',
		'paymaster_data',
		'account_deployment_data',
		'nonce_data_availability_mode',
		'fee_data_availability_mode',
		'signature',
		'sender_address',
		'calldata',
		'nonce',
	],
	properties: {
		type: true,
		version: true,
		resource_bounds: {
			...closedObject(
				{ l1_gas: resourceLimits, l1_data_gas: resourceLimits, l2_gas: resourceLimits },
				['l1_gas', 'l1_data_gas', 'l2_gas'],
			),
			description: 'an object of l1_gas, l1_data_gas and l2_gas',
		},
		tip: felt,
		paymaster_data: felts,
		account_deployment_data: felts,
		nonce_data_availability_mode: availability,
		fee_data_availability_mode: availability,
		signature: felts,
		sender_address: felt,
		calldata: felts,
		nonce: felt,
	},
};

const withResourceBounds = {
	required: ['resource_bounds'],
	properties: { resource_bounds: { type: 'object', description: 'an object' } },
};

const ifThen = (properties: object, then: object) => ({
	if: { required: Object.keys(properties), properties },
	then,
});

const transaction = {
	type: 'object',
	description: 'a transaction object',
	required: ['type', 'version'],
	properties: {
		type: {
			enum: ['INVOKE', 'DECLARE', 'DEPLOY_ACCOUNT'],
			description: 'INVOKE, DECLARE or DEPLOY_ACCOUNT',
		},
		version: felt,
	},
	allOf: [
		ifThen({ type: { const: 'INVOKE' }, version: { const: '0x1' } }, documentedInvoke),
		ifThen({ type: { const: 'INVOKE' }, version: { const: '0x3' } }, invoke3),
		ifThen({ version: { const: '0x3' } }, withResourceBounds),
	],
};

const flag = {
	enum: ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE', 'RETURN_INITIAL_READS'],
	description: 'SKIP_VALIDATE, SKIP_FEE_CHARGE or RETURN_INITIAL_READS',
};

export const simulationParams = tuple(
	block,
	{ type: 'array', minItems: 1, items: transaction, description: 'an array of transactions' },
	{ type: 'array', uniqueItems: true, items: flag, description: 'an array of distinct flags' },
);
