import type { Field, Params } from '../core/operation/field';
import { jsonObjects, listOf } from '../core/values/json';
import { quantity } from '../core/values/quantity';
import { unfit } from '../core/values/read';
import { felt } from './felt';
import { version3, version3Fields } from './version3';

export const inputMode = {
	displayName: 'Input Mode',
	name: 'inputMode',
	type: 'options',
	default: 'json',
	description: 'How the transactions are given',
	options: [
		{
			name: 'Fields',
			value: 'fields',
			description: 'Build transactions of version 1 or 3 from fields',
		},
		{ name: 'JSON', value: 'json', description: 'Any kind and version, as the node takes it' },
	],
} as const satisfies Field;

export const transactions = {
	displayName: 'Transactions',
	name: 'transactions',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder: 'e.g. {"type": "INVOKE", "version": "0x3", …}',
	description:
		'One transaction as a JSON object, or an array of them, in the form that the node takes',
	show: { inputMode: ['json'] },
	read: jsonObjects,
} as const satisfies Field;

const felts = listOf(felt);

const version = (given: unknown) => {
	const shortest = quantity(given);
	return ['0x1', '0x3'].includes(shortest)
		? shortest
		: unfit('1 or 3; other versions can be given as JSON');
};

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
					description: 'The highest fee in wei, decimal or 0x-hex',
					show: { version: ['0x1'] },
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
					description: 'Hex values, comma-separated, or an array. Not needed with Skip Validate.',
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
					type: 'options',
					default: '0x1',
					description: 'Current nodes take version 3; version 1 is the documented form',
					options: [
						{ name: '1', value: '0x1' },
						{ name: '3', value: '0x3' },
					],
					read: version,
				},
				version3Fields,
			],
		},
	],
} as const satisfies Field;

type Entry = Params<(typeof transactionFields)['options'][0]['values']>;

/** A transaction in the documented form, or in the one of version 3. */
export function fromFields(entry: Entry): object {
	return {
		type: entry.type,
		version: entry.version,
		signature: entry.signature,
		sender_address: entry.senderAddress,
		calldata: entry.calldata,
		nonce: entry.nonce,
		...(entry.version === '0x3' ? version3(entry.version3 ?? {}) : { max_fee: entry.maxFee }),
	};
}
