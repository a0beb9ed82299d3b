import type { Field, Params } from '../core/operation/field';
import { jsonObjects, listOf } from '../core/values/json';
import { felt } from './felt';

export const inputMode = {
	displayName: 'Input Mode',
	name: 'inputMode',
	type: 'options',
	default: 'json',
	description: 'How the transactions are given',
	options: [
		{ name: 'Fields', value: 'fields', description: 'Build version 0x1 transactions from fields' },
		{ name: 'JSON', value: 'json', description: 'Any kind and version, as the node takes it' },
	],
} as const satisfies Field;

export const transactions = {
	displayName: 'Transactions',
	name: 'transactions',
	type: 'json',
	required: true,
	default: '[]',
	description:
		'One transaction as a JSON object, or an array of them, in the form that the node takes',
	show: { inputMode: ['json'] },
	read: jsonObjects,
} as const satisfies Field;

const felts = listOf(felt);

export const transactionFields = {
	displayName: 'Transactions',
	name: 'transactionFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add transaction',
	default: {},
	description: 'The transactions to simulate, in their order',
	show: { inputMode: ['fields'] },
	options: [
		{
			displayName: 'Transaction',
			name: 'transaction',
			values: [
				{
					displayName: 'Calldata',
					name: 'calldata',
					type: 'string',
					default: '',
					placeholder: 'e.g. 0x1, 0x2',
					description: 'Hex values, comma-separated, or an array',
					read: felts,
				},
				{
					displayName: 'Max Fee',
					name: 'maxFee',
					type: 'string',
					default: '0x0',
					description: 'Decimal or 0x-hex',
					read: felt,
				},
				{
					displayName: 'Nonce',
					name: 'nonce',
					type: 'string',
					default: '0x0',
					description: 'Decimal or 0x-hex',
					read: felt,
				},
				{
					displayName: 'Sender Address',
					name: 'senderAddress',
					type: 'string',
					required: true,
					default: '',
					placeholder: 'e.g. 0x1a2b3c…',
					description: 'The account that sends the transaction',
					read: felt,
				},
				{
					displayName: 'Signature',
					name: 'signature',
					type: 'string',
					default: '',
					placeholder: 'e.g. 0x1, 0x2',
					description:
						'Hex values, comma-separated, or an array. Needless with the flag Skip Validate.',
					read: felts,
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'string',
					required: true,
					default: 'INVOKE',
					description: 'The kind of transaction',
				},
				{
					displayName: 'Version',
					name: 'version',
					type: 'string',
					default: '0x1',
					description: 'Decimal or 0x-hex',
					read: felt,
				},
			],
		},
	],
} as const satisfies Field;

type Entry = Params<(typeof transactionFields)['options'][0]['values']>;

/** A transaction in the documented form. */
export function fromFields(entry: Entry): object {
	return {
		type: entry.type,
		max_fee: entry.maxFee,
		version: entry.version,
		signature: entry.signature,
		sender_address: entry.senderAddress,
		calldata: entry.calldata,
		nonce: entry.nonce,
	};
}
