import type { Field } from '../core/operation/field';
import { blockOr } from '../core/values/quantity';

/** The block whose state is read. */
export const stateBlock = {
	displayName: 'Block',
	name: 'block',
	type: 'string',
	default: 'latest',
	placeholder: 'e.g. latest or 19000000',
	description:
		'A block number, decimal or 0x-hex, or latest, safe, finalized, earliest or pending. Latest can still be reorganized.',
	read: blockOr('latest', 'safe', 'finalized', 'earliest', 'pending'),
} as const satisfies Field;
