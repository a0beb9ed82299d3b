import type { ChainView } from '../core/chain/advance';
import { formatBlock } from '../core/evm/chainObjects';
import type { Field, Params } from '../core/operation/field';
import { eventFields } from '../core/operation/panel';
import { parseApiPath, EVM_OR_ROOT, type ApiPath } from '../core/operation/path';
import { authentication } from '../core/operation/sharedFields';
import { rpcOptions } from '../core/operation/transportOptions';
import type { PollEvent } from '../core/trigger/poll';
import { wholeNumberParser } from '../core/values/parse';
import { minAmountExcept } from '../fields/minAmount';
import { maxBlocksPerPoll, startAt } from '../fields/pollFields';
import { log, newBlockEvent, nftTransfer } from '../fields/sharedTriggerEvents';
import { addressActivity } from './addressActivity';
import type { PollSource } from './pollSource';
import { tokenTransfer } from './tokenTransfer';
import { value } from './value';

/** The events stand in the order of their names, because n8n lists them in this order. */
export const EVENTS = {
	addressActivity: {
		...addressActivity,
		sample: { none: 'No activity of these addresses in the last', check: 'the addresses' },
	},
	log: {
		...log,
		sample: {
			none: 'No such log in the last',
			check: 'Addresses, Event Signature, Where and Topics',
		},
	},
	newBlock: {
		...newBlockEvent(formatBlock, (block) => block),
		sample: {
			maxBlocks: 1,
			none: 'No block in the last',
			check: "the option 'Confirmations'",
		},
	},
	nftTransfer: {
		...nftTransfer,
		sample: {
			none: 'No such transfer of an NFT in the last',
			check: 'NFT Contracts, Accounts and Direction',
		},
	},
	tokenTransfer: {
		...tokenTransfer,
		sample: {
			none: 'No such transfer of a token in the last',
			check: 'Tokens, Accounts and Direction',
		},
	},
} as const satisfies Readonly<Record<string, PollEvent<PollSource, ChainView>>>;

const confirmations = {
	displayName: 'Confirmations',
	name: 'confirmations',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'How many blocks must follow a block before its events start the workflow. With 0, events come at once. A higher number avoids events of blocks that the chain later replaces.',
	parse: wholeNumberParser(0),
} as const satisfies Field;

const includeReverted = {
	displayName: 'Include Reverted',
	name: 'includeReverted',
	type: 'boolean',
	default: false,
	description:
		'Whether to include calls and transfers that were undone because they or a call around them failed. Such items have <code>reverted</code>. For Address Activity only.',
	hide: { '/event': [{ _cnd: { not: 'addressActivity' } }] },
} as const satisfies Field;

const path = {
	displayName: 'Path',
	name: 'path',
	type: 'string',
	default: '/',
	placeholder: 'e.g. /evm',
	description:
		"The path of the API below the chain node's address; / is the address itself. Without this option, the trigger tries both /evm and /.",
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

/** Traces are read at the path /, or at /evm if the service has no traces at /. The service's documentation names both paths. */
const ROOT_OR_EVM_FOR_TRACES: ApiPath = { path: '/', other: '/evm' };

/** Gives the options that the user set, and the defaults of all other options. */
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

export const [event, ...ownFields] = eventFields({ ...EVENTS, value }, 'newBlock');

export const fields = [authentication, event, ...ownFields, triggerOptions];
