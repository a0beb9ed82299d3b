import { abiWith } from '../abi/abi';
import type { Field } from '../../operation/field';
import { evmAddress } from '../../values/hex';
import { json, listOf } from '../../values/json';
import { isRecord } from '../../values/parseJson';
import { optional } from '../../values/quantity';
import { isBlank, unfit, type Read } from '../../values/read';
import { topics as readTopics } from './topics';

/** Which logs are wanted. */
export const addresses = {
	displayName: 'Addresses',
	name: 'addresses',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'Only logs of these contracts: comma-separated, or an array',
	hint: 'Empty for any contract',
	read: listOf(evmAddress),
} as const satisfies Field;

/** In a trigger, `event` is what it waits for. */
export function eventField<const Name extends string>(displayName: string, name: Name) {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder: 'e.g. Transfer(address indexed from, address indexed to, uint256 value)',
		description:
			'Only logs of this event, decoded: its declaration, or a JSON ABI with one or more events',
		hint: 'Empty for any event',
		read: optional(abiWith('event')),
	} as const satisfies Field;
}

const conditions: Read<Readonly<Record<string, unknown>>> = (given) => {
	const value = isBlank(given) ? {} : json(given);
	return isRecord(value) ? value : unfit('a JSON object');
};

export const where = {
	displayName: 'Where',
	name: 'where',
	type: 'json',
	default: '{}',
	description:
		'Only logs whose indexed arguments have these values: a JSON object, by the names in the event. A list holds alternatives.',
	hint: 'e.g. { "to": "0x5aAe…BeAed" }',
	read: conditions,
} as const satisfies Field;

export const topics = {
	displayName: 'Topics',
	name: 'topics',
	type: 'string',
	default: '',
	placeholder: 'e.g. Transfer(address,address,uint256)',
	description:
		'A filter by topic position: comma-separated, or an array. Each is a hash, an address, the signature of an event, or empty for any. In an array, an entry may also be a list of alternatives.',
	hint: 'Use either this, or the event with Where',
	read: readTopics,
} as const satisfies Field;
