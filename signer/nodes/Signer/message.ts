import { parseUtf8, type Field } from '../../../nodes/core';
import { signingOperation } from '../core/client';
import { options } from '../core/fields';

const messageField = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 2 },
	required: true,
	default: '',
	placeholder: 'e.g. I am the owner of this account',
	description: 'The text to sign. Nothing is trimmed, and hex is signed as the text that it is.',
	parse: (value: unknown) => parseUtf8(typeof value === 'number' ? String(value) : value),
} as const satisfies Field;

const sign = signingOperation({
	name: 'Sign',
	action: 'Sign a message',
	description:
		'Sign a text as wallets do (EIP-191), if the credential allows messages. A key in the credential is needed.',
	fields: [messageField, options],
	request: (p) => ({ kind: 'message', given: p.message }),
	answer: (signed) => signed,
});

export const message = { name: 'Message', operations: { sign } };
