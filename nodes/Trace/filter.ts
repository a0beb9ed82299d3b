import { listOfObjects } from '../core/evm/chainObject';
import { isSearchLimit } from '../core/evm/searchLimit';
import { isWholeList, nextTracePage, TRACES_AT_ONCE, type TracePage } from '../core/evm/tracePages';
import { simpleTrace } from '../core/evm/simpleTrace';
import type { RequestFailure } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { limit, returnAll, simplify } from '../core/operation/sharedFields';
import { rpc } from '../core/protocols/rpc';
import { type RpcRequest } from '../core/protocols/rpcRequest';
import { rpcOptions } from '../core/protocols/transportOptions';
import { wholeNumber } from '../core/values/basic';
import { evmAddress } from '../core/values/hex';
import { listOf } from '../core/values/json';
import { blockOr, optional } from '../core/values/quantity';

const filterBlock = optional(blockOr('latest', 'earliest', 'pending'));
const addresses = listOf(evmAddress);

const fromBlock = {
	displayName: 'From Block',
	name: 'fromBlock',
	type: 'string',
	default: '',
	placeholder: 'e.g. 19000000',
	description:
		'The first block to search, decimal or 0x-hex. Many nodes limit how far a search may reach.',
	read: filterBlock,
} as const satisfies Field;

const toBlock = {
	displayName: 'To Block',
	name: 'toBlock',
	type: 'string',
	default: '',
	placeholder: 'e.g. 19000100',
	description: 'The last block to search, decimal or 0x-hex',
	read: filterBlock,
} as const satisfies Field;

const fromAddress = {
	displayName: 'From Address',
	name: 'fromAddress',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'Only traces sent by these addresses: comma-separated, or an array',
	read: addresses,
} as const satisfies Field;

const toAddress = {
	displayName: 'To Address',
	name: 'toAddress',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description:
		'Only traces received by these addresses: comma-separated, or an array. Many nodes take senders and recipients together as either, not both.',
	read: addresses,
} as const satisfies Field;

const after = {
	displayName: 'After',
	name: 'after',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description: 'How many traces to skip',
	read: wholeNumber(0),
} as const satisfies Field;

const pageSize = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 10_000 },
	default: TRACES_AT_ONCE,
	description: 'How many traces to ask for in one request',
	read: wholeNumber(1, 10_000),
} as const satisfies Field;

export const filter = rpc({
	name: 'Filter',
	action: 'Filter traces',
	description: 'Get the traces of a range of blocks, of certain senders and recipients',
	fields: [
		fromBlock,
		toBlock,
		fromAddress,
		toAddress,
		returnAll,
		limit,
		simplify,
		rpcOptions(after, pageSize),
	],
	request: (p) => ({
		path: '/',
		method: 'trace_filter',
		params: [
			{
				fromBlock: p.fromBlock,
				toBlock: p.toBlock,
				fromAddress: p.fromAddress.length > 0 ? p.fromAddress : undefined,
				toAddress: p.toAddress.length > 0 ? p.toAddress : undefined,
				after: p.options.after,
				count: Math.min(p.options.pageSize ?? pageSize.default, p.limit ?? Infinity),
			},
		],
	}),
	answer: listOfObjects('a list of traces'),
	items: (traces, p) => (p.simplify ? traces.map(simpleTrace) : traces),
	next: (traces, { request, missing }) => {
		const following = nextTracePage(pageOf(request), traces.length, missing);
		return following ? [{ ...request, params: [following] }] : [];
	},
	endsOnRepeat: (traces, request) => isWholeList(traces.length, pageOf(request)),
	advice,
});

function pageOf({ params }: RpcRequest): TracePage {
	return (params as readonly [TracePage])[0];
}

function advice(failure: RequestFailure): string | undefined {
	if (isSearchLimit(failure)) {
		return 'If the node limits how many blocks one search may span, bring From Block and To Block closer together.';
	}
	const { message: words } = failure;
	if (/\b(tag|number|hex|quantity|parse|invalid (params|type|argument|string))/i.test(words)) {
		return 'If the node takes no names such as latest here, give block numbers.';
	}
	return undefined;
}
