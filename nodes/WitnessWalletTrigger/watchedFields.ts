import type { LeastAmount } from '../core/chain/payment';
import type { RestReader } from '../core/chain/reader';
import { SUN_DECIMALS, unitsParser } from '../core/values/units';
import type { Field } from '../core/operation/field';
import { listParser } from '../core/values/json';
import { isBlank, type Parse, InvalidValue } from '../core/values/parse';
import { parseWitnessAccount } from '../core/witness/address';
import { where as whereOnChain } from '../fields/logFields';
import { raise } from '../core/errors/raise';
import { TOKENS_NAME } from '../fields/tokenNames';

/** The reader of the node, and the smallest amount of a token that starts the workflow. */
export interface WitnessSource {
	readonly reader: RestReader;
	/** Smaller transfers of tokens are left out. */
	readonly least: LeastAmount;
}

const parseAccounts = listParser(parseWitnessAccount);

const parseSomeAccounts: Parse<string[]> = (given) => {
	const accounts = parseAccounts(given);
	return accounts.length > 0 ? accounts : raise(new InvalidValue('at least one address'));
};

/** Addresses are required, because the whole chain has thousands of payments a minute. */
export const paidAddresses = {
	displayName: 'Addresses',
	name: 'addresses',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	description: 'The accounts and contracts to watch: comma-separated, or an array',
	hint: 'Payments that a contract makes are found only if the chain node keeps internal transactions, which record them',
	parse: parseSomeAccounts,
} as const satisfies Field;

export const tokenAddresses = {
	displayName: 'Addresses',
	name: 'addresses',
	type: 'string',
	default: '',
	placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	description: 'Only transfers from or to these accounts: comma-separated, or an array',
	hint: 'Empty for any account',
	parse: parseAccounts,
} as const satisfies Field;

export const direction = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	default: 'in',
	description: 'Whether the addresses receive the payment or make it',
	options: [
		{ name: 'Any', value: 'any' },
		{ name: 'In', value: 'in' },
		{ name: 'Out', value: 'out' },
	],
} as const satisfies Field;

const parseCoins = unitsParser(SUN_DECIMALS);

export const minAmount = {
	displayName: 'Min Amount',
	name: 'minAmount',
	type: 'string',
	default: '',
	placeholder: 'e.g. 1.5',
	description: 'Only payments of this amount or more, in coins',
	hint: 'Empty for any amount. A minimum leaves out the tiny amounts that anyone can send.',
	parse: (given: unknown) => (isBlank(given) ? 0n : parseCoins(given)),
} as const satisfies Field;

export const tokens = {
	displayName: 'Tokens',
	name: TOKENS_NAME,
	type: 'string',
	default: '',
	placeholder: 'e.g. TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
	description:
		'Only transfers of these TRC-20 tokens: their addresses, comma-separated, or an array',
	hint: 'If empty, fake tokens that use the name of another token come as well',
	parse: parseAccounts,
} as const satisfies Field;

const parseSomeTokens: Parse<string[]> = (given) => {
	const list = parseAccounts(given);
	return list.length > 0 ? list : raise(new InvalidValue('at least one address of a token'));
};

/**
 * Tokens are required with an account key. Otherwise worthless tokens that anybody can make would start the
 * workflow.
 */
export const tokensToReceive = {
	...tokens,
	required: true,
	hint: 'Only the address identifies a token: anybody can use the name of another token',
	parse: parseSomeTokens,
} as const satisfies Field;

export const contracts = {
	displayName: 'Contracts',
	name: 'contracts',
	type: 'string',
	default: '',
	placeholder: 'e.g. TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
	description: 'Only events of these contracts: comma-separated, or an array',
	hint: 'Empty for any contract',
	parse: parseAccounts,
} as const satisfies Field;

export const where = {
	...whereOnChain,
	hint: 'e.g. { "to": "THPv…n5YC" }',
} as const satisfies Field;
