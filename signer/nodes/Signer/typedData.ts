import type { Field, Read } from '../../../nodes/core';
import { signing } from '../core/client';
import { options } from '../core/fields';

/** Read when it is hashed. */
const asGiven: Read = (given) => given;

const data = {
	displayName: 'Typed Data',
	name: 'typedData',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder: 'e.g. { "types": {…}, "domain": {…}, "primaryType": "Mail", "message": {…} }',
	description: 'An object with types, domain, primaryType and message',
	read: asGiven,
} as const satisfies Field;

const sign = signing({
	name: 'Sign',
	action: 'Sign typed data',
	description:
		'Sign typed data (EIP-712), if the credential allows it. Such a signature can move tokens. A key in the credential is needed.',
	fields: [data, options],
	request: (p) => ({ ask: 'typedData', typedData: p.typedData }),
	answer: (signed) => signed,
});

export const typedData = { name: 'Typed Data', operations: { sign } };
