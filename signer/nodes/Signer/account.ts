import { accountKind, options } from '../core/fields';
import { signingOperation } from '../core/client';

const get = signingOperation({
	name: 'Get',
	action: 'Get the address of the signer',
	description:
		'Get the addresses that sign: that of an account as EVM chains and the witness chain write it, or the wallets of a key on the TON chain; and the worst that its rules allow',
	fields: [accountKind, options],
	request: () => ({ ask: 'account' }),
	answer: (forms) => forms,
});

export const account = { name: 'Account', operations: { get } };
