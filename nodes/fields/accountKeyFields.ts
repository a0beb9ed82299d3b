import { parseAccountKey } from '../core/accountKey/accountKey';
import type { Field } from '../core/operation/field';

/** A public key, from which the addresses of an account follow. */
export const accountKey = {
	displayName: 'Account Key',
	name: 'accountKey',
	type: 'string',
	required: true,
	default: '',
	placeholder:
		'e.g. xpub6DPBHt3vK3mg63mxJtMKcgd5cLWaULwbAdWwXkxiVp1qsF29LHaWZX1xTyY2wdnjD7tkYz71vfzAvSYtquVD21gecUJqejgpjx2HabkbAZy',
	description:
		'The extended public key of an account (xpub, tpub). It shows all addresses of the account, and moves nothing.',
	parse: parseAccountKey,
} as const satisfies Field;
