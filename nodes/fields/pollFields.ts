import type { Field } from '../core/operation/field';
import { parseStart, parseStartTime } from '../core/chain/startAt';
import { wholeNumberParser } from '../core/values/parse';

/** Hides an option for watched values, because each poll reads the present value, and no earlier blocks. */
const NOT_FOR_VALUES = { '/event': ['value'] };

/** The option that limits how many blocks a poll reads, for every trigger that polls a chain block by block. */
export const maxBlocksPerPoll = {
	displayName: 'Max Blocks Per Poll',
	name: 'maxBlocksPerPoll',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1000,
	description:
		'How many more blocks a poll reads, at most, after it has found an event. The next poll continues from there.',
	hide: NOT_FOR_VALUES,
	parse: wholeNumberParser(1),
} as const satisfies Field;

/** The option that sets where reading begins, for every trigger that polls a chain block by block. */
export const startAt = {
	displayName: 'Start At',
	name: 'startAt',
	type: 'string',
	default: '',
	placeholder: 'e.g. 2 days back',
	description:
		'From where the trigger reads the chain: a block, such as 21000000, a distance back, such as 500 blocks back, or a time. If empty, from now on. After a change, the trigger begins at the new place.',
	hide: NOT_FOR_VALUES,
	parse: parseStart,
} as const satisfies Field;

/** The option Start At without block numbers, for chains whose block numbers users do not know. */
export const startAtTime = {
	...startAt,
	description:
		'From where the trigger reads the chain: a distance back, such as 2 days back, or a time. If empty, from now on. After a change, the trigger begins at the new place.',
	parse: parseStartTime,
} as const satisfies Field;
