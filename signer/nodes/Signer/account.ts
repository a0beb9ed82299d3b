import { accountKind, options } from '../core/fields';
import { signingOperation } from '../core/client';

const get = signingOperation({
	name: 'Get',
	action: 'Get address of signer',
	description:
		'Get the addresses that sign: that of an account as EVM chains and the witness chain write it, or the wallets of a key on the TON chain',
	fields: [accountKind, options],
	request: () => ({ kind: 'account' }),
	answer: (forms) => forms,
});

/** n8n's form of a credential shows no more of a test that succeeds than that it does. */
const getRules = signingOperation({
	name: 'Get Rules',
	action: 'Say what rules allow',
	description:
		'Say the worst that can be done within the rules of the credential, in one sentence. Nothing is signed.',
	fields: [accountKind, options],
	request: () => ({ kind: 'rules' }),
	answer: (said) => said,
});

export const account = { name: 'Account', operations: { get, getRules } };
