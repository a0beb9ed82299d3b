import { RpcFailure } from '../../jsonRpc/calls.mts';
import { formatContent } from './formats.mts';
import { toHex } from './machine/felts.mts';
import { inventFelt } from './machine/hashes.mts';
import { isFrom, type Version } from './versions.mts';
import {
	type BlockId,
	chooseBlock,
	type Chosen,
	getTransactions,
	isAtHead,
	type View,
} from './views.mts';

export interface Filter {
	from_block?: BlockId;
	to_block?: BlockId;
	address?: string | string[];
	keys?: string[][];
	chunk_size: number;
	continuation_token?: string;
}

interface Position {
	block: number;
	/** The number of events in this block that earlier pages have returned. */
	skipped: number;
}

/** Returns a page of events, and a page token if there may be more events. Events of the pending block come last. */
export function getEvents(filter: Filter, view: View) {
	const { events: limits, version, nulls } = view.settings;
	const keys = filter.keys ?? [];
	if (filter.chunk_size > limits.maxChunk) {
		throw new RpcFailure(31, 'Requested page size is too big');
	}
	if (keys.flat().length > limits.maxKeys) {
		throw new RpcFailure(34, 'Too many keys provided in a filter');
	}
	const range = chooseRange(filter, view);
	const { maxBlocks, blocksPerPage, refusal, repeatsToken } = limits;
	if (maxBlocks !== null && range.to - range.from >= maxBlocks) {
		throw new RpcFailure(refusal.code, refusal.message, refusal.data);
	}
	const seal = sealFilter(filter, view);
	const token = filter.continuation_token;
	const start = token === undefined ? { block: range.from, skipped: 0 } : openToken(token, seal);
	const last = Math.min(range.to, start.block + (blocksPerPage ?? Infinity) - 1);
	const { events, next } = collectPage(filter, view, start, last);
	const following = next ?? (last < range.to ? { block: last + 1, skipped: 0 } : undefined);
	const made = following && `${following.block}-${following.skipped}-${seal}`;
	return {
		events: events.map((event) => formatEvent(event, version, nulls)),
		...(!made && nulls && { continuation_token: null }),
		...(made && { continuation_token: repeatsToken ? (token ?? made) : made }),
	};
}

/**
 * Chooses the range of blocks to search. A range that ends above the latest block is cut there, and a range that begins
 * above it is empty.
 */
function chooseRange({ from_block: from, to_block: to }: Filter, view: View) {
	const making = view.rollup.blocks.length;
	const numberOf = (id: BlockId) => {
		if (typeof id === 'object' && 'block_number' in id) return id.block_number;
		return chooseBlock(id, view)?.number ?? making;
	};
	const end = isAtHead(view) ? making : view.head;
	return {
		from: from === undefined ? 0 : numberOf(from),
		to: Math.min(
			to === undefined ? end : numberOf(to),
			isPending(to) || to === undefined ? end : view.head,
		),
	};
}

const isPending = (id: BlockId | undefined) => id === 'pending' || id === 'pre_confirmed';

/** Computes a short hash of the filter and the branch of the chain. A page token is valid only together with both. */
function sealFilter({ continuation_token: _token, ...filter }: Filter, { rollup }: View): string {
	return toHex(inventFelt([filter, rollup.branch])).slice(2, 18);
}

function openToken(token: string, seal: string): Position {
	const [, block, skipped, found] = /^(\d{1,9})-(\d{1,9})-([0-9a-f]{1,16})$/.exec(token) ?? [];
	if (found === seal) return { block: Number(block), skipped: Number(skipped) };
	throw new RpcFailure(33, 'The supplied continuation token is invalid or unknown');
}

type Found = ReturnType<typeof listMatches>[number];

function collectPage(filter: Filter, view: View, start: Position, last: number) {
	const events: Found[] = [];
	for (let number = start.block; number <= last; number++) {
		const skipped = number === start.block ? start.skipped : 0;
		const left = filter.chunk_size - events.length;
		const matches =
			number > view.indexed && number < view.rollup.blocks.length
				? []
				: listMatches(filter, view, number);
		const taken = matches.slice(skipped, skipped + left);
		for (const event of taken) events.push(event);
		const isBlockDone = skipped + taken.length >= matches.length;
		if (!isBlockDone) return { events, next: { block: number, skipped: skipped + taken.length } };
		if (events.length === filter.chunk_size && number < last) {
			return { events, next: { block: number + 1, skipped: 0 } };
		}
	}
	return { events, next: undefined };
}

function listMatches({ address, keys = [] }: Filter, view: View, number: number) {
	const addresses = address === undefined ? undefined : [address].flat().map(BigInt);
	const wanted = keys.map((alternatives) => alternatives.map(BigInt));
	const block: Chosen = view.rollup.blocks[number];
	return getTransactions(block, view).flatMap((executed, transactionIndex) =>
		executed.events.flatMap((event, eventIndex) => {
			const isFromOne = addresses?.includes(event.from) ?? true;
			const hasKeys = wanted.every((alternatives, position) => {
				const key = event.keys[position];
				return key !== undefined && (alternatives.length === 0 || alternatives.includes(key));
			});
			if (!isFromOne || !hasKeys) return [];
			return [{ event, block, hash: executed.hash, transactionIndex, eventIndex }];
		}),
	);
}

function formatEvent(
	{ event, block, hash, transactionIndex, eventIndex }: Found,
	version: Version,
	nulls: boolean,
) {
	return {
		from_address: toHex(event.from),
		...formatContent(event),
		...(block
			? { block_hash: toHex(block.hash), block_number: block.number }
			: nulls && { block_hash: null, block_number: null }),
		transaction_hash: toHex(hash),
		...(isFrom(version, '0.10') && {
			transaction_index: transactionIndex,
			event_index: eventIndex,
		}),
	};
}
