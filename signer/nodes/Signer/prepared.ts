import { InvalidInput, type Field } from '../../../nodes/core';
import { signingOperation } from '../core/client';
import { accountKind, remoteOptions, type KeyKind } from '../core/fields';
import { parsePrepared, PREPARED, type PreparedRequest } from '../core/prepared';
import { formatSignedWitness } from './witnessTransaction';

/** The field Kind, which chooses the credential, with only the chains for which prepared data can be signed. */
const keyKind = {
	...accountKind,
	description: 'Which chains the key of the credential signs for',
	options: [
		{ name: 'EVM', value: 'evm', description: 'The key signs for EVM chains and TRON' },
		{
			name: 'STARK',
			value: 'stark',
			description: 'The key signs for a STARK rollup such as Starknet',
		},
		{ name: 'TON', value: 'ton', description: 'The key signs for the TON chain' },
	],
} as const satisfies Field;

const preparedField = {
	displayName: 'Prepared',
	name: 'prepared',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '={{ $json }}',
	placeholder: 'e.g. {{ $json }}',
	description:
		'The item from Prepare or Build of any chain, or only the transaction or transfer in the item. Exactly the fields of the transaction or transfer are signed.',
	builderHint: {
		propertyHint: 'Leave it out after a node that prepares or builds.',
		placeholderSupported: false,
	},
	parse: parsePrepared,
} as const satisfies Field;

function checkKind(chosen: KeyKind, { kind }: PreparedRequest): void {
	const { words, keyKind: needed } = PREPARED[kind];
	if (chosen === needed) return;
	throw new InvalidInput(
		`'Prepared' is ${words}, which does not fit ${KIND_NAMES[chosen]} in 'Kind'`,
		`Choose ${KIND_NAMES[needed]} as Kind, and the credential with its key. Nothing was signed.`,
	);
}

const KIND_NAMES: Readonly<Record<KeyKind, string>> = { evm: 'EVM', stark: 'STARK', ton: 'TON' };

const sign = signingOperation({
	name: 'Sign',
	action: 'Sign what was prepared',
	description:
		"Sign the output of Prepare or Build, of any chain, if the rules of the credential allow it. Nothing is sent to a chain: use the operation Send of the chain's node. A refusal names the rule, the request and the limit.",
	fields: [keyKind, preparedField, remoteOptions],
	plan: ({ kind, prepared: request }) => {
		checkKind(kind, request);
		return request;
	},
	request: (request) => request,
	answer: (signed) => signed,
	items: (signed, { kind }) => [
		kind === 'witnessTransaction' ? formatSignedWitness(signed) : signed,
	],
});

export const prepared = { name: 'Prepared Transaction', operations: { sign } };
