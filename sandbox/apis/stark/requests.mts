import { closedObject, describedObject } from '../../http/schemas.mts';
import { tuple } from '../../jsonRpc/calls.mts';
import { isFrom, listTags, type Version } from './versions.mts';

const hexOf = (maxDigits: number, description: string) => ({
	type: 'string',
	pattern: `^0x(0|[a-fA-F1-9][a-fA-F0-9]{0,${maxDigits - 1}})$`,
	description,
});

/** Strict nodes refuse leading zeros. */
export const felt = hexOf(63, 'a felt (0x-hex without leading zeros)');

const u64 = hexOf(16, 'a number of 64 bits (0x-hex without leading zeros)');
const u128 = hexOf(32, 'a number of 128 bits (0x-hex without leading zeros)');

const listOf = (items: object, description: string) => ({ type: 'array', items, description });

const felts = listOf(felt, 'an array of felts');

const objectWith = (name: string, value: object) => closedObject({ [name]: value }, [name]);

export const noParams = { type: 'array', maxItems: 0, description: 'an empty array' };

export const wholeNumber = { type: 'integer', minimum: 0, description: 'a whole number' };

export const buildBlockSchema = (version: Version) => ({
	description: `a block: {block_number}, {block_hash} or ${listTags(version).join(', ')}`,
	anyOf: [
		objectWith('block_number', wholeNumber),
		objectWith('block_hash', felt),
		{ enum: listTags(version) },
	],
});

export const callRequest = describedObject(
	{ contract_address: felt, entry_point_selector: felt, calldata: felts },
	['contract_address', 'entry_point_selector', 'calldata'],
);

export function buildFilterSchema(version: Version) {
	const block = buildBlockSchema(version);
	const addresses = listOf(felt, 'an array of felts');
	return describedObject(
		{
			from_block: block,
			to_block: block,
			address:
				version === '0.10.4'
					? { anyOf: [felt, addresses], description: 'a felt or an array of felts' }
					: felt,
			keys: listOf(felts, 'an array of arrays of felts'),
			chunk_size: { type: 'integer', minimum: 1, description: 'a whole number above 0' },
			continuation_token: { type: 'string', description: 'a string' },
		},
		['chunk_size'],
	);
}

const bound = describedObject({ max_amount: u64, max_price_per_unit: u128 }, [
	'max_amount',
	'max_price_per_unit',
]);

const availability = { enum: ['L1', 'L2'], description: 'L1 or L2' };

/** The fields that invoke transactions of all versions have. */
const common = {
	type: { const: 'INVOKE', description: 'INVOKE: this chain takes no other kind' },
	version: felt,
	sender_address: felt,
	calldata: felts,
	signature: felts,
	nonce: felt,
};

function buildInvoke3Schema(version: Version) {
	const resources = {
		l1_gas: bound,
		l2_gas: bound,
		...(isFrom(version, '0.8') && { l1_data_gas: bound }),
	};
	const required = {
		...common,
		resource_bounds: describedObject(resources, Object.keys(resources)),
		tip: u64,
		paymaster_data: felts,
		account_deployment_data: felts,
		nonce_data_availability_mode: availability,
		fee_data_availability_mode: availability,
	};
	const proofs = { proof_facts: felts, proof: { type: 'string', description: 'a string' } };
	const properties = version === '0.10.4' ? { ...required, ...proofs } : required;
	return { additionalProperties: false, required: Object.keys(required), properties };
}

const invoke1 = {
	additionalProperties: false,
	required: [...Object.keys(common), 'max_fee'],
	properties: { ...common, max_fee: felt },
};

/**
 * Builds the schema of a transaction. It accepts all versions, because the node refuses versions other than 1 and 3
 * with its own error.
 */
export const buildTransactionSchema = (version: Version) => ({
	type: 'object',
	description: 'an invoke transaction',
	required: ['type', 'version'],
	properties: { type: common.type, version: felt },
	allOf: [ifVersion('1', invoke1), ifVersion('3', buildInvoke3Schema(version))],
});

/** Builds a condition on the version of a transaction. The version of a query has one more bit. */
const ifVersion = (digit: string, then: object) => ({
	if: { properties: { version: { enum: [`0x${digit}`, `0x1${'0'.repeat(31)}${digit}`] } } },
	then,
});

export const buildTransactionsSchema = (version: Version) =>
	listOfTransactions(buildTransactionSchema(version));

const listOfTransactions = (items: object) => ({
	type: 'array',
	minItems: 1,
	items,
	description: 'an array of transactions',
});

const SKIP_VALIDATE = 'SKIP_VALIDATE';
const SIMULATION_FLAGS = [SKIP_VALIDATE, 'SKIP_FEE_CHARGE'];

const flagsOf = (flags: readonly string[]) => ({
	type: 'array',
	uniqueItems: true,
	items: { enum: flags },
	description: `an array of distinct flags (${flags.join(', ')})`,
});

export const estimateFlags = flagsOf([SKIP_VALIDATE]);

export const buildSimulationFlags = (version: Version) =>
	flagsOf(version === '0.10.4' ? [...SIMULATION_FLAGS, 'RETURN_INITIAL_READS'] : SIMULATION_FLAGS);

/**
 * Builds the schema of a transaction of any kind.
 * The provider's document shows an invoke transaction of version 1. The interface of Starknet lists the other kinds.
 */
const buildAnyTransactionSchema = (version: Version) => ({
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
		ifIs({ type: { const: 'INVOKE' }, version: { const: '0x1' } }, invoke1),
		ifIs({ type: { const: 'INVOKE' }, version: { const: '0x3' } }, buildInvoke3Schema(version)),
		ifIs({ version: { const: '0x3' } }, withResourceBounds),
	],
});

const withResourceBounds = {
	required: ['resource_bounds'],
	properties: { resource_bounds: { type: 'object', description: 'an object' } },
};

const ifIs = (properties: object, then: object) => ({
	if: { required: Object.keys(properties), properties },
	then,
});

/** Builds the parameters of a simulation for accounts that the chain does not have. */
export const buildAnySimulationParams = (version: Version) =>
	tuple(
		buildBlockSchema(version),
		listOfTransactions(buildAnyTransactionSchema(version)),
		flagsOf([...SIMULATION_FLAGS, 'RETURN_INITIAL_READS']),
	);
