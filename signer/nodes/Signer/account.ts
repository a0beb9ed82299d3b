import { options } from '../core/fields';
import { signingOperation } from '../core/client';

const get = signingOperation({
	name: 'Get',
	action: 'Get the address of the signer',
	description: 'Get the address that signs, as EVM chains and the witness chain write it',
	fields: [options],
	request: () => ({ ask: 'account' }),
	answer: (forms) => forms,
});

export const account = { name: 'Account', operations: { get } };
