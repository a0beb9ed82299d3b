import { blockOrBackParser } from '../core/chain/back';
import type { Field } from '../core/operation/field';
import { blockParser } from '../core/values/numbers';
import { isBlank } from '../core/values/parse';

/** Selects the block whose state is read. */
export const stateBlock = {
	displayName: 'Block',
	name: 'block',
	type: 'string',
	default: 'latest',
	placeholder: 'e.g. latest or 19000000',
	description:
		'Values are read as they were after this block: a number, or latest, safe, finalized, earliest or pending',
	parse: blockParser('latest', 'safe', 'finalized', 'earliest', 'pending'),
} as const satisfies Field;

const RANGE_BLOCK_TAGS = ['latest', 'safe', 'finalized', 'earliest'] as const;

export const fromBlock = {
	displayName: 'From Block',
	name: 'fromBlock',
	type: 'string',
	required: true,
	default: '1000 blocks back',
	placeholder: 'e.g. 19000000 or 2 days back',
	description:
		'The first block to search: a number, earliest, finalized, safe or latest, or a distance back, such as 2 days back',
	parse: blockOrBackParser(blockParser(...RANGE_BLOCK_TAGS)),
} as const satisfies Field;

export const toBlock = {
	displayName: 'To Block',
	name: 'toBlock',
	type: 'string',
	default: 'latest',
	placeholder: 'e.g. 19100000',
	description:
		'The last block to search: a number, latest, safe, finalized or earliest. A range that is too large is read in parts.',
	parse: (given: unknown) => blockParser(...RANGE_BLOCK_TAGS)(isBlank(given) ? 'latest' : given),
} as const satisfies Field;
