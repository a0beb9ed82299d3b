import { options } from '../core/fields';
import { signing } from '../core/client';

const get = signing({
	name: 'Get',
	action: 'Get the address of the signer',
	description: 'Get the address that signs, as EVM chains and the witness chain write it',
	fields: [options],
	request: () => ({ ask: 'account' }),
	answer: (forms) => forms,
});

export const account = { name: 'Account', operations: { get } };
