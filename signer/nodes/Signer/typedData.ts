import type { Field, Parse } from '../../../nodes/core';
import { signingOperation } from '../core/client';
import { remoteOptions } from '../core/fields';

/** Hashing parses the value. */
const parseLater: Parse = (given) => given;

const typedDataField = {
	displayName: 'Typed Data',
	name: 'typedData',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder:
		'e.g. { "types": { "Mail": [{ "name": "text", "type": "string" }] }, "domain": { "name": "Example" }, "primaryType": "Mail", "message": { "text": "Hello" } }',
	description: 'What to sign: an object with types, domain, primaryType and message',
	parse: parseLater,
} as const satisfies Field;

const sign = signingOperation({
	name: 'Sign',
	action: 'Sign typed data',
	description:
		'Sign typed data: a message with named fields (EIP-712), such as a permission to take tokens. The signature can move tokens. In the credential, Typed Data Kinds or Allow Typed Data must allow it. A remote signer cannot sign typed data.',
	fields: [typedDataField, remoteOptions],
	request: (p) => ({ kind: 'typedData', given: p.typedData }),
	answer: (signed) => signed,
});

export const typedData = { name: 'Typed Data', operations: { sign } };
