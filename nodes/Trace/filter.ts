import { withTimes } from '../core/chain/blockTimes';
import { simpleTrace, type ChainObject } from '../core/chain/objects';
import { endsOf, readRange } from '../core/chain/ranges';
import { traceList, traceSearch } from '../core/chain/traceList';
import { TRACES_AT_ONCE } from '../core/chain/tracePages';
import { withReverted } from '../core/chain/withReverted';
import type { RequestFailure } from '../core/errors/requestFailure';
import { completed } from '../core/operation/completing';
import type { Field } from '../core/operation/field';
import { limit, returnAll, simplify } from '../core/operation/sharedFields';
import { rpcOptions } from '../core/operation/transportOptions';
import { rpc } from '../core/rpc/rpc';
import { wholeNumber } from '../core/values/read';
import { evmAddress } from '../core/values/hex';
import { listOf } from '../core/values/json';
import { blockOr, optional } from '../core/values/numbers';

const filterBlock = optional(blockOr('latest', 'earliest', 'pending'));
const addresses = listOf(evmAddress);

export const fromBlock = {
	displayName: 'From Block',
	name: 'fromBlock',
	type: 'string',
	default: '',
	placeholder: 'e.g. 19000000',
	description:
		'The first block to search, decimal or 0x-hex. A range that the node refuses as too wide or too full is read in parts.',
	hint: 'Empty usually means the first block',
	read: filterBlock,
} as const satisfies Field;

export const toBlock = {
	displayName: 'To Block',
	name: 'toBlock',
	type: 'string',
	default: '',
	placeholder: 'e.g. 19000100',
	description: 'The last block to search',
	hint: 'Empty usually means the latest block',
	read: filterBlock,
} as const satisfies Field;

export const fromAddress = {
	displayName: 'From Address',
	name: 'fromAddress',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'Only traces sent by these addresses: comma-separated, or an array',
	hint: 'Empty for any sender',
	read: addresses,
} as const satisfies Field;

export const toAddress = {
	displayName: 'To Address',
	name: 'toAddress',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description:
		'Only traces received by these addresses: comma-separated, or an array. If senders are given as well, many nodes return what matches either.',
	hint: 'Empty for any receiver',
	read: addresses,
} as const satisfies Field;

export const after = {
	displayName: 'After',
	name: 'after',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description: 'How many traces to skip',
	read: wholeNumber(0),
} as const satisfies Field;

export const pageSize = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 10_000 },
	default: TRACES_AT_ONCE,
	description: 'How many traces to ask for in one request',
	read: wholeNumber(1, 10_000),
} as const satisfies Field;

export const showReverted = {
	displayName: 'Show Reverted',
	name: 'showReverted',
	type: 'boolean',
	default: false,
	description:
		'Whether to say in <code>reverted</code> which calls and transfers were undone, because they or a call above them failed. Only with Simplify; each transaction with nested calls is read as well.',
} as const satisfies Field;

const PATH = '/';

export const filter = rpc({
	name: 'Find',
	action: 'Find calls and transfers',
	description:
		'Find the calls and transfers between addresses over any range of blocks, including those inside transactions',
	fields: [
		fromBlock,
		toBlock,
		fromAddress,
		toAddress,
		returnAll,
		limit,
		simplify,
		rpcOptions(after, pageSize, showReverted),
	],
	begin: (p, run) => {
		const { fromBlock: first = 'earliest', toBlock: last = 'latest', options } = p;
		const addresses = {
			fromAddress: p.fromAddress.length > 0 ? p.fromAddress : undefined,
			toAddress: p.toAddress.length > 0 ? p.toAddress : undefined,
		};
		const count = Math.min(options.pageSize ?? pageSize.default, p.limit ?? Infinity);
		const whole = {
			fromBlock: p.fromBlock,
			toBlock: p.toBlock,
			...addresses,
			after: options.after,
			count,
		};
		const found = readRange(
			traceList(addresses, { count }),
			endsOf({ fromBlock: first, toBlock: last }),
			PATH,
			run,
			{ requests: [traceSearch(whole)], skipped: options.after ?? 0 },
		);
		if (!p.simplify) return found;
		const checked = options.showReverted ? completed(found, withReverted(PATH, run)) : found;
		return completed(checked, withTimes(PATH, run, simple));
	},
	advice,
});

function simple(trace: ChainObject): ChainObject {
	return { ...simpleTrace(trace), ...('reverted' in trace && { reverted: trace.reverted }) };
}

function advice({ message: words }: RequestFailure): string | undefined {
	return /\b(tag|number|hex|quantity|parse|invalid (params|type|argument|string))/i.test(words)
		? 'If the node does not accept names such as latest here, give block numbers.'
		: undefined;
}
