import { MAX_INDEX, wholeNumberParser, type Field } from '../../../nodes/core';
import { accountKind, remoteOptions } from '../core/fields';
import { signingOperation } from '../core/client';

const index = {
	displayName: 'Index',
	name: 'index',
	type: 'string',
	default: '0',
	placeholder: 'e.g. 42',
	description: 'The index of the deposit address: 0 is the first',
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

/** Get Rules shows what the rules allow. The test of a credential cannot show it, because n8n's form only says that a test succeeded. */
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
