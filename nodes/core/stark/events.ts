import type { BlockRange } from '../chain/blocks';
import type { RpcReader } from '../chain/reader';
import { repeatedPageError } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { mapWithPauses } from '../net/pacing/slices';
import { isRecord, rethrow } from '../values/parse';
import { isIndex } from './blocks';
import { encodeFelt, feltListParser, feltParser, formatFelt, tryParseFelt } from './felts';
import { ERROR_CODES, getErrorCode } from './reader';
import { sharedKey } from '../net/pacing/shared';

/** Which events are wanted. */
export interface EventFilter {
	/** The contract that emits the events. Undefined means any contract. */
	readonly contract?: bigint;
	/** The wanted keys at each position. An empty list accepts any key. */
	readonly keys: ReadonlyArray<readonly bigint[]>;
	/**
	 * The last block of the range. A node without this block is refused, because it is behind and would give fewer
	 * events.
	 */
	readonly lastBlock?: { readonly number: number; readonly hash: string };
}

/** An event as a node reports it. */
export interface StarkEvent {
	readonly contract: bigint;
	readonly keys: readonly bigint[];
	readonly data: readonly bigint[];
	/** The number is null while the block is still being made. */
	readonly blockNumber: number | null;
	readonly blockHash: bigint | null;
	readonly transactionHash: bigint | null;
	/** The position of the transaction in its block. Null for nodes with a version below 0.10. */
	readonly transactionIndex: number | null;
	/** The position of the event in its transaction. Null for nodes with a version below 0.10. */
	readonly eventIndex: number | null;
}

/** The number of events to request for a page. Nodes differ in how many they allow. */
const CHUNK_LIMIT = sharedKey('stark.chunkLimit', () => ({ events: 1000 }));

/** Reads the events of a range page by page, until a page has no token for the next page. */
export async function* readEventPages(
	reader: RpcReader,
	filter: EventFilter,
	range: BlockRange,
	wanted: number,
): AsyncGenerator<StarkEvent[]> {
	const promises = new PagePromises(filter, range);
	// The token of the next page is valid only for pages of the same size.
	const first = await readFirstPage(reader, buildFilter(filter, range), wanted);
	let { page } = first;
	let missing = wanted;
	for (;;) {
		promises.throwIfBroken(page);
		yield page.events;
		missing -= page.events.length;
		const { token } = page;
		if (token === undefined || missing <= 0) return;
		page = await readPage(reader, { ...buildFilter(filter, range, token), chunk_size: first.size });
	}
}

/** The most empty pages in a row. A node may need several pages to search a block that has no matching events. */
const SPARE_EMPTY_PAGES = 1000;

/** Checks the pages of a node. A node may ignore parts of the filter, or begin the list again. */
class PagePromises {
	private readonly tokens = new Set<string>();
	private readonly keys: ReadonlyArray<ReadonlySet<bigint>>;
	private lastBlock: number;
	private emptyPages = 0;

	constructor(
		private readonly filter: EventFilter,
		private readonly range: BlockRange,
	) {
		this.keys = filter.keys.map((alternatives) => new Set(alternatives));
		this.lastBlock = range.from;
	}

	throwIfBroken({ events, token }: EventPage): void {
		if (token !== undefined && this.tokens.has(token)) throw repeatedPageError();
		if (token !== undefined) this.tokens.add(token);
		for (const event of events) this.throwIfForeign(event);
		if (events.length === 0) this.emptyPages++;
		const { from, to } = this.range;
		if (this.emptyPages > to - from + SPARE_EMPTY_PAGES)
			throw invalidResponseError('an end of its pages, which hold no events', token);
	}

	private throwIfForeign({ contract, keys, blockNumber }: StarkEvent): void {
		if (this.filter.contract !== undefined && contract !== this.filter.contract)
			throw invalidResponseError('events of the contract that was asked for', formatFelt(contract));
		if (!this.keys.every((wanted, at) => wanted.size === 0 || wanted.has(keys[at] ?? -1n)))
			throw invalidResponseError('events with the keys that were asked for', keys.map(formatFelt));
		if (blockNumber === null) return;
		if (blockNumber < this.lastBlock || blockNumber > this.range.to)
			throw invalidResponseError('events of the blocks that were asked for, in order', blockNumber);
		this.lastBlock = blockNumber;
	}
}

function buildFilter(
	{ contract, keys, lastBlock }: EventFilter,
	{ from, to }: BlockRange,
	token?: string,
) {
	const hash = lastBlock?.number === to ? lastBlock.hash : undefined;
	return {
		from_block: { block_number: from },
		to_block: hash === undefined ? { block_number: to } : { block_hash: encodeFelt(BigInt(hash)) },
		...(contract !== undefined && { address: encodeFelt(contract) }),
		...(keys.length > 0 && { keys: keys.map((position) => position.map(encodeFelt)) }),
		...(token !== undefined && { continuation_token: token }),
	};
}

interface EventPage {
	readonly events: StarkEvent[];
	readonly token?: string;
}

async function readPage(
	reader: RpcReader,
	filter: { readonly chunk_size: number },
): Promise<EventPage> {
	return await parsePage(await reader.call('getEvents', [filter]), filter.chunk_size);
}

/** Reads the first page. If the node refuses its size, smaller pages are requested from then on. */
async function readFirstPage(
	reader: RpcReader,
	filter: object,
	wanted: number,
): Promise<{ readonly page: EventPage; readonly size: number }> {
	const limit = reader.shared(CHUNK_LIMIT);
	const size = Math.min(limit.events, wanted);
	try {
		return { size, page: await readPage(reader, { ...filter, chunk_size: size }) };
	} catch (failure) {
		if (getErrorCode(failure) !== ERROR_CODES.chunkTooBig || size === 1) rethrow(failure);
		limit.events = Math.min(limit.events, Math.ceil(size / 4));
		return await readFirstPage(reader, filter, wanted);
	}
}

async function parsePage(answer: unknown, most: number): Promise<EventPage> {
	if (!isRecord(answer) || !Array.isArray(answer.events))
		throw invalidResponseError('a page of events', answer);
	const { continuation_token: token } = answer;
	const isEnd = token === undefined || token === null || token === '';
	if (!isEnd && typeof token !== 'string')
		throw invalidResponseError('a continuation token as text', token);
	if (answer.events.length > most)
		throw invalidResponseError(`a page of at most ${most} events`, answer.events.length);
	const events = await mapWithPauses(answer.events, parseEvent);
	return typeof token === 'string' && !isEnd ? { events, token } : { events };
}

const parseContract = feltParser('the address of a contract');
const parseFelts = feltListParser('a list of felts');

export function parseEvent(given: unknown): StarkEvent {
	if (!isRecord(given)) throw invalidResponseError('an event', given);
	return {
		contract: parseContract(given.from_address),
		keys: parseFelts(given.keys),
		data: parseFelts(given.data),
		blockNumber: getIndex(given.block_number),
		blockHash: tryParseFelt(given.block_hash) ?? null,
		transactionHash: tryParseFelt(given.transaction_hash) ?? null,
		transactionIndex: getIndex(given.transaction_index),
		eventIndex: getIndex(given.event_index),
	};
}

function getIndex(given: unknown): number | null {
	return isIndex(given) ? given : null;
}
