import type { Field } from '../core/operation/field';
import { wholeNumber } from '../core/values/basic';
import { wholeAmount } from '../core/values/quantity';
import { felt } from './felt';

export const blockBy = {
	displayName: 'Block By',
	name: 'blockBy',
	type: 'options',
	default: 'tag',
	description: 'How to name the block that the simulation starts from',
	options: [
		{ name: 'Hash', value: 'hash' },
		{ name: 'Number', value: 'number' },
		{ name: 'Tag', value: 'tag' },
	],
} as const satisfies Field;

export const blockTag = {
	displayName: 'Block Tag',
	name: 'blockTag',
	type: 'options',
	default: 'latest',
	description: 'Newer nodes accept L1 Accepted and Pre-Confirmed, older ones Pending',
	options: [
		{ name: 'L1 Accepted', value: 'l1_accepted' },
		{ name: 'Latest', value: 'latest' },
		{ name: 'Pending', value: 'pending' },
		{ name: 'Pre-Confirmed', value: 'pre_confirmed' },
	],
	show: { blockBy: ['tag'] },
} as const satisfies Field;

export const blockNumber = {
	displayName: 'Block Number',
	name: 'blockNumber',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 650000',
	description: 'Decimal or 0x-hex',
	show: { blockBy: ['number'] },
	read: (given: unknown) => wholeNumber(0)(Number(wholeAmount(given))),
} as const satisfies Field;

export const blockHash = {
	displayName: 'Block Hash',
	name: 'blockHash',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x4f1a7e3d…',
	description: 'The hash of the block',
	show: { blockBy: ['hash'] },
	read: felt,
} as const satisfies Field;

interface Chosen {
	readonly blockTag?: string;
	readonly blockNumber?: number;
	readonly blockHash?: string;
}

/** The block as the node wants it: exactly one of the three is shown, and so has a value. */
export function blockSelector(chosen: Chosen): string | object | undefined {
	if (chosen.blockNumber !== undefined) return { block_number: chosen.blockNumber };
	return chosen.blockHash === undefined ? chosen.blockTag : { block_hash: chosen.blockHash };
}
