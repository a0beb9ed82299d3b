import { raise } from '../core/errors/raise';
import type { Field } from '../core/operation/field';
import { parseStarkAddress } from '../core/stark/address';
import { parseJsonObjects } from '../core/values/json';
import { InvalidValue, isRecord } from '../core/values/parse';
import { buildCallFields } from '../fields/starkFields';

/** A simulation has at most this many transactions. A block of the chain has fewer. */
const MAX_TRANSACTIONS = 10_000;

/**
 * Parses transactions of any shape. Their numbers may have leading zeros, which other nodes of this package write.
 */
function parseTransactions(given: unknown): object[] {
	const list = parseJsonObjects(given);
	return list.length <= MAX_TRANSACTIONS
		? list.map(withoutLeadingZeros)
		: raise(new InvalidValue(`a list of at most ${MAX_TRANSACTIONS} transactions`));
}

const HEX_PATTERN = /^0x[\da-f]+$/i;

/**
 * Removes the leading zeros of all hex values, also of nested ones. Names, texts and other values stay as they are.
 */
function withoutLeadingZeros(fields: Readonly<Record<string, unknown>>): object {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [name, stripLeadingZeros(value)]),
	);
}

function stripLeadingZeros(value: unknown): unknown {
	if (typeof value === 'string')
		return HEX_PATTERN.test(value) ? value.replace(/^0x0+(?=.)/i, '0x') : value;
	if (Array.isArray(value)) return value.map(stripLeadingZeros);
	return isRecord(value) ? withoutLeadingZeros(value) : value;
}

export const inputMode = {
	displayName: 'Input Mode',
	name: 'inputMode',
	type: 'options',
	default: 'json',
	description: 'In which form you give the transactions',
	options: [
		{
			name: 'Calls',
			value: 'calls',
			description: 'Enter calls of functions of contracts. No signature of the sender is needed.',
		},
		{
			name: 'Fields',
			value: 'fields',
			description:
				'Enter Starknet transactions of version 1 or 3 in a form, with a field for each value of a transaction',
		},
		{
			name: 'JSON',
			value: 'json',
			description:
				"Enter transactions of any kind and version as JSON, in the form of the chain node's API",
		},
	],
} as const satisfies Field;

export const transactions = {
	displayName: 'Transactions',
	name: 'transactions',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder:
		'e.g. {"type": "INVOKE", "version": "0x1", "sender_address": "0x1a2b", "calldata": ["0x1"], "max_fee": "0x0", "nonce": "0x0", "signature": []}',
	description:
		"A transaction as JSON, or an array of transactions, in the form of the chain node's API",
	show: { inputMode: ['json'] },
	parse: parseTransactions,
} as const satisfies Field;

export const senderAddress = {
	displayName: 'Sender Address',
	name: 'senderAddress',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
	description:
		'The account that would send the transaction. If Simulation Flags is empty, the account pays no fee.',
	show: { inputMode: ['calls'] },
	parse: parseStarkAddress,
} as const satisfies Field;

export const callFields = buildCallFields({ inputMode: ['calls'] });
