import type { Field } from '../core/operation/field';
import { restOptions } from '../core/protocols/transportOptions';

/** Its spelling depends on `visible`, so it is checked when both are known. */
export const ownerAddress = {
	displayName: 'Owner Address',
	name: 'ownerAddress',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	description: 'The account that will sign the transaction',
} as const satisfies Field;

/** Always sent: without it the server takes false, which the document does not say. */
export const visible = {
	displayName: 'Base58 Addresses',
	name: 'visible',
	type: 'boolean',
	default: true,
	description: 'Whether addresses are written in base58 (T…) rather than in hex (41…)',
} as const satisfies Field;

export const options = restOptions();
