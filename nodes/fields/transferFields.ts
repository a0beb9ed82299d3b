import { parseEvmAddress } from '../core/evm/address';
import type { Field } from '../core/operation/field';
import { listParser } from '../core/values/json';
import { TOKENS_NAME } from './tokenNames';

/** The tokens whose transfers are wanted. */
export const tokens = {
	displayName: 'Tokens',
	name: TOKENS_NAME,
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description:
		'Only transfers of these ERC-20 tokens: their addresses, comma-separated, or an array',
	hint: 'Empty for any token',
	parse: listParser(parseEvmAddress),
} as const satisfies Field;

export const accounts = {
	displayName: 'Accounts',
	name: 'accounts',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	description: 'Only transfers from or to these accounts: comma-separated, or an array',
	hint: 'Empty for any account',
	parse: listParser(parseEvmAddress),
} as const satisfies Field;

export const direction = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	default: 'any',
	description: 'Whether the entered accounts send the wanted transfers or receive them',
	options: [
		{ name: 'Any', value: 'any' },
		{ name: 'From the Accounts', value: 'from' },
		{ name: 'To the Accounts', value: 'to' },
	],
} as const satisfies Field;

/** The NFT contracts whose transfers are wanted. */
export const contracts = {
	displayName: 'NFT Contracts',
	name: 'contracts',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description:
		'Only tokens of these ERC-721 and ERC-1155 contracts: their addresses, comma-separated, or an array',
	hint: 'Empty for any contract',
	parse: listParser(parseEvmAddress),
} as const satisfies Field;
