import { parseUtf8, type Field, type Parse, InvalidValue, raise } from '../../../nodes/core';
import { signingOperation } from '../core/client';
import { remoteOptions } from '../core/fields';

/** Hashing more would block n8n. */
const MAX_MESSAGE_BYTES = 1_000_000;

const parseMessage: Parse<Buffer> = (given) => {
	const message = parseUtf8(typeof given === 'number' ? String(given) : given);
	return message.length <= MAX_MESSAGE_BYTES
		? message
		: raise(new InvalidValue(`text of at most ${MAX_MESSAGE_BYTES} bytes`));
};

const messageField = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 2 },
	required: true,
	default: '',
	placeholder: 'e.g. I am the owner of this account',
	description: 'The text to sign. Nothing is trimmed, and hex is signed as text.',
	parse: parseMessage,
} as const satisfies Field;

const sign = signingOperation({
	name: 'Sign',
	action: 'Sign message',
	description:
		'Sign a text as wallets do (EIP-191), if the credential allows messages. A remote signer cannot sign messages.',
	fields: [messageField, remoteOptions],
	request: (p) => ({ kind: 'message', given: p.message }),
	answer: (signed) => signed,
});

export const message = { name: 'Message', operations: { sign } };
