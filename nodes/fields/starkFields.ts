import type { Field } from '../core/operation/field';
import { listOrHand } from '../core/operation/locator';
import { pathField } from '../core/operation/path';
import { parseStarkAbi } from '../core/stark/abi/abi';
import { parseKeys } from '../core/stark/eventChoice';
import { parseStarkAddress } from '../core/stark/address';
import { parseCalls } from '../core/stark/invoke';
import { listParser } from '../core/values/json';
import { optionalParser } from '../core/values/numbers';
import { parseText } from '../core/values/parse';

const ACCOUNT_EXAMPLE = 'e.g. 0x0213c67ed78bc280887234fe5ed5e77272465317978ae86c25a71531d9332a2d';
const CONTRACT_EXAMPLE = 'e.g. 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d';

/** An address that a node's operation is about. */
export function addressField<const Name extends string>(
	displayName: string,
	name: Name,
	description: string,
) {
	return {
		displayName,
		name,
		type: 'string',
		required: true,
		default: '',
		placeholder: CONTRACT_EXAMPLE,
		description,
		parse: parseStarkAddress,
	} as const satisfies Field;
}

/** The address of an account that an operation is about. */
export function accountField<const Name extends string>(
	displayName: string,
	name: Name,
	description: string,
) {
	return {
		...addressField(displayName, name, description),
		placeholder: ACCOUNT_EXAMPLE,
	} as const satisfies Field;
}

export const path = pathField('/', {
	placeholder: 'e.g. /rpc/v0_9',
	description: "The path of the API below the node's address; rarely needs changing",
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
	description:
		'The JSON ABI of the contract, where the chain does not have it or has an untrue one',
	hint: 'Empty: read from the chain, that of the implementation for a proxy',
	parse: optionalParser(parseStarkAbi),
} as const satisfies Field;

export const calls = {
	displayName: 'Calls',
	name: 'calls',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder:
		'e.g. [{"contract": "0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d", "function": "transfer", "arguments": ["0x1a2b", "5"]}]',
	description:
		'The calls of one transaction, in order: a JSON list of objects with contract, function and arguments',
	parse: parseCalls,
} as const satisfies Field;

/** A contract among those whose events are found. */
export const contractFilter = {
	...contract,
	required: false,
	description: 'Only events of this contract; leading zeros may be left out',
	hint: 'Empty for any contract',
	parse: optionalParser(parseStarkAddress),
} as const satisfies Field;

const EVENT_EXAMPLE = 'e.g. Transfer';

/** The name of an event; in a trigger, the field `event` is the menu of its own events. */
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
		description: 'Only events of this name, as the ABI of the contract has it',
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
		'A filter by key position: a JSON list whose entries are a key, a list of alternatives, or null for any. The first key is that of the event.',
	hint: 'e.g. [null, "0x1a2b"]. With an event given, its own keys stand in front and are left null here.',
	parse: parseKeys,
} as const satisfies Field;

/** It stands apart from its field, because n8n's lint takes what is called a token for a secret. */
const TOKENS_NAME = 'tokens';

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
