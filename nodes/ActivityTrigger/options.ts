import type { Field, Params } from '../core/operation/field';
import { parseApiPath, EVM_OR_ROOT, type ApiPath } from '../core/operation/path';
import { rpcOptions } from '../core/operation/transportOptions';
import { wholeNumberParser } from '../core/values/parse';
import { minAmountExcept } from '../fields/minAmount';
import { maxBlocksPerPoll, startAt } from '../fields/pollFields';

const confirmations = {
	displayName: 'Confirmations',
	name: 'confirmations',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'How many blocks must follow a block before its events start the workflow. With 0, events come at once; a few blocks avoid most reorganizations.',
	parse: wholeNumberParser(0),
} as const satisfies Field;

const includeReverted = {
	displayName: 'Include Reverted',
	name: 'includeReverted',
	type: 'boolean',
	default: false,
	description:
		'Whether to include calls and transfers that were undone because they failed or a call above them failed. Such items have <code>reverted</code>. For Address Activity only.',
	hide: { '/event': [{ _cnd: { not: 'addressActivity' } }] },
} as const satisfies Field;

export const path = {
	displayName: 'Path',
	name: 'path',
	type: 'string',
	default: '/',
	placeholder: 'e.g. /evm',
	description:
		"The path of the API below the node's address; / is the address itself. By default, blocks are read at /evm and traces at /, and each at the other path if it is there.",
	parse: parseApiPath,
} as const satisfies Field;

const minAmount = minAmountExcept('log', 'newBlock', 'nftTransfer', 'value');

export const triggerOptions = rpcOptions(
	confirmations,
	includeReverted,
	maxBlocksPerPoll,
	minAmount,
	path,
	startAt,
);

/** Both are documented paths. */
const ROOT_OR_EVM_FOR_TRACES: ApiPath = { path: '/', other: '/evm' };

/** What the user set, and the defaults for the rest. */
export function withDefaults({ options: set }: Params<readonly [typeof triggerOptions]>) {
	return {
		confirmations: set.confirmations ?? confirmations.default,
		includeReverted: set.includeReverted ?? includeReverted.default,
		maxBlocksPerPoll: set.maxBlocksPerPoll ?? maxBlocksPerPoll.default,
		minAmount: set.minAmount,
		startAt: set.startAt,
		blockPath: set.path === undefined ? EVM_OR_ROOT : { path: set.path },
		tracePath: set.path === undefined ? ROOT_OR_EVM_FOR_TRACES : { path: set.path },
	};
}

export type PollOptions = ReturnType<typeof withDefaults>;
