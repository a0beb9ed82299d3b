import { MAX_INDEX, wholeNumberParser, type Field } from '../../../nodes/core';
import { accountKind, remoteOptions } from '../core/fields';
import { signingOperation } from '../core/client';

const index = {
	displayName: 'Index',
	name: 'index',
	type: 'string',
	default: '0',
	placeholder: 'e.g. 42',
	description: 'Which address of the account',
	show: { kind: ['deposits'] },
	parse: wholeNumberParser(0, MAX_INDEX),
} as const satisfies Field;

const get = signingOperation({
	name: 'Get',
	action: 'Get address of signer',
	description:
		'Get the addresses that sign: the account on EVM chains and TRON, the wallets of a key on TON, or one of the deposit addresses',
	fields: [accountKind, index, remoteOptions],
	request: (p) => ({ kind: 'account', ...(p.index !== undefined && { index: p.index }) }),
	answer: (forms) => forms,
});

/** If a test succeeds, n8n's form of a credential shows only that it has succeeded. */
const getRules = signingOperation({
	name: 'Get Rules',
	action: 'Say what rules allow',
	description:
		'State the worst that somebody could do within the rules of the credential. Nothing is signed.',
	fields: [accountKind, remoteOptions],
	request: () => ({ kind: 'rules' }),
	answer: (said) => said,
});

export const account = { name: 'Account', operations: { get, getRules } };
