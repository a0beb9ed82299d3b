import { InvalidInput } from '../core/errors/invalidInput';
import type { Field, Params } from '../core/operation/field';
import { listOrHand } from '../core/operation/locator';
import { pathField } from '../core/operation/path';
import { parseStarkAbi } from '../core/stark/abi/abi';
import { parseKeys } from '../core/stark/eventChoice';
import { parseStarkAddress } from '../core/stark/address';
import { parseCalls, type GivenCall } from '../core/stark/invoke';
import { listParser, parseJsonValue } from '../core/values/json';
import { optionalParser } from '../core/values/numbers';
import { isBlank, parseField, parseText } from '../core/values/parse';
import { createAddressFields } from './addressFields';
import { TOKENS_NAME } from './tokenNames';

const ACCOUNT_EXAMPLE = 'e.g. 0x0213c67ed78bc280887234fe5ed5e77272465317978ae86c25a71531d9332a2d';
const CONTRACT_EXAMPLE = 'e.g. 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d';

/** Makes the field for the address of a contract or an account. */
export const addressField = createAddressFields(CONTRACT_EXAMPLE, parseStarkAddress);

/** Makes the field for the address of an account. */
export const accountField = createAddressFields(ACCOUNT_EXAMPLE, parseStarkAddress);

export const path = pathField('/', {
	placeholder: 'e.g. /rpc/v0_9',
	description: "The path of the API below the chain node's address; it rarely needs changing",
});

export const contract = addressField(
	'Contract',
	'contract',
	'The address of the contract; leading zeros may be left out',
);

export const abi = {
	displayName: 'ABI',
	name: 'abi',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. [{"type": "function", "name": "balance_of", …}]',
	description: 'The JSON ABI of the contract, if the ABI on the chain is missing or wrong',
	hint: 'If empty, the ABI is read from the chain: for a proxy contract, from the contract to which it forwards calls.',
	parse: optionalParser(parseStarkAbi),
} as const satisfies Field;

const callsBy = {
	displayName: 'Calls By',
	name: 'callsBy',
	type: 'options',
	default: 'fields',
	noDataExpression: true,
	description: 'Whether to enter the calls in fields or as JSON',
	options: [
		{ name: 'Fields', value: 'fields', description: 'A row for each call' },
		{ name: 'JSON', value: 'json', description: 'A JSON list, for example from an expression' },
	],
} as const satisfies Field;

const callRows = {
	displayName: 'Calls',
	name: 'callFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add call',
	default: {},
	description: 'The calls of functions, in the order in which the transaction makes them',
	options: [
		{
			displayName: 'Call',
			name: 'call',
			values: [
				contract,
				{
					displayName: 'Function',
					name: 'function',
					type: 'string',
					required: true,
					default: '',
					placeholder: 'e.g. transfer',
					description: 'The name of the function in the ABI of the contract',
					parse: parseText,
				},
				{
					displayName: 'Arguments',
					name: 'arguments',
					type: 'json',
					default: '[]',
					description: 'The arguments: a JSON list in order, or an object with names',
					hint: 'e.g. ["0x1a2b", "5"]',
					parse: parseJsonValue,
				},
			],
		},
	],
} as const satisfies Field;

const callList = {
	displayName: 'Calls',
	name: 'calls',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder:
		'e.g. [{"contract": "0x1a2b", "function": "transfer", "arguments": ["0x3c4d", "5"]}]',
	description:
		'The calls of functions as a JSON list, in the order in which the transaction makes them',
	// The text is parsed later, and only if the calls are not given in rows.
	parse: (given: unknown) => given,
} as const satisfies Field;

/**
 * Makes the fields for several calls in one transaction. They are shown while other fields have the values in
 * `shown`.
 */
export function buildCallFields<const Shown extends Readonly<Record<string, readonly string[]>>>(
	shown: Shown,
) {
	const byRows = { ...shown, callsBy: ['fields'] } as const;
	return [
		{ ...callsBy, show: shown },
		{ ...callRows, show: byRows },
		{ ...callList, show: { ...shown, callsBy: ['json'] } },
		// A workflow can have its calls in this JSON list and no rows, so n8n must keep the list although the field is
		// hidden.
		{ ...callList, type: 'hidden', required: false, show: byRows },
	] as const satisfies readonly Field[];
}

interface CallInputs {
	readonly callFields: ReadonlyArray<Params<(typeof callRows)['options'][0]['values']>> | undefined;
	readonly calls: unknown;
}

/** Reads the calls from the rows, or from the JSON list if there are no rows. */
export function readCalls({ callFields: rows = [], calls }: CallInputs): readonly GivenCall[] {
	if (rows.length > 0)
		return rows.map((row) => ({ ...row, functionName: row.function, args: row.arguments }));
	if (isBlank(calls)) throw new InvalidInput("'Calls' must hold at least one call");
	return parseField('Calls', calls, parseCalls);
}

/** The contract whose events are searched. */
export const contractFilter = {
	...contract,
	required: false,
	description: 'The address of the contract whose events are wanted; leading zeros may be left out',
	hint: 'Empty for any contract',
	parse: optionalParser(parseStarkAddress),
} as const satisfies Field;

const EVENT_EXAMPLE = 'e.g. Transfer';

/**
 * Makes the field for the name of an event. A trigger gives it another name, because its field `event` selects the
 * kind of event.
 */
export function eventNameField<const Name extends string>(name: Name) {
	return {
		displayName: name === 'event' ? 'Event' : 'Event Name',
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		placeholder: EVENT_EXAMPLE,
		modes: listOrHand('starkEvents', {
			displayName: 'By Name',
			name: 'name',
			placeholder: EVENT_EXAMPLE,
		}),
		description: 'The name of the wanted events, as in the ABI of the contract',
		hint: 'Empty for any event',
		parse: parseText,
	} as const satisfies Field;
}

export const keys = {
	displayName: 'Keys',
	name: 'keys',
	type: 'json',
	default: '[]',
	description:
		'Filters events by their keys (indexed values): a JSON list with one entry for each key. An entry is a value, a list of allowed values, or null for any value. The first key identifies the event.',
	hint: 'e.g. [null, "0x1a2b"]. If you choose an event, write null for the first key, the name of the event.',
	parse: parseKeys,
} as const satisfies Field;

export const tokens = {
	displayName: 'Tokens',
	name: TOKENS_NAME,
	type: 'string',
	default: '',
	placeholder: CONTRACT_EXAMPLE,
	description:
		'Only transfers of these ERC-20 tokens: their addresses, comma-separated, or an array',
	hint: 'Empty for any token',
	parse: listParser(parseStarkAddress),
} as const satisfies Field;

export const accounts = {
	displayName: 'Accounts',
	name: 'accounts',
	type: 'string',
	default: '',
	placeholder: ACCOUNT_EXAMPLE,
	description: 'Only transfers from or to these accounts: comma-separated, or an array',
	hint: 'Empty for any account',
	parse: listParser(parseStarkAddress),
} as const satisfies Field;
