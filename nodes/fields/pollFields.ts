import type { Field } from '../core/operation/field';
import { wholeNumberParser } from '../core/values/parse';

/** An option of every trigger that polls a chain block by block. */
export const maxBlocksPerPoll = {
	displayName: 'Max Blocks Per Poll',
	name: 'maxBlocksPerPoll',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1000,
	description:
		'The most blocks that a poll reads once something is found. The next poll continues from there.',
	parse: wholeNumberParser(1),
} as const satisfies Field;
