import { findFirstBlock, isDistanceBack, type DistanceBack } from '../chain/back';
import type { RpcReader } from '../chain/reader';
import type { BlockRange } from '../chain/blocks';
import { InvalidInput } from '../errors/invalidInput';
import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { findSearchLimit } from '../net/responses/rpcErrors';
import { markHandled } from '../net/pacing/concurrency';
import { collectPages } from '../protocols/rpc/pages';
import { rethrow } from '../values/parse';
import { isIndex, findBlock, readHeadNumber, type BlockId } from './blocks';
import { readEventPages, type EventFilter, type StarkEvent } from './events';
import { ERROR_CODES, getErrorCode } from './reader';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

/** The number of parts of a range that are read at the same time. */
const PARALLEL_PARTS = 10;
/** How many times in a row a part may fail before it has given an event. */
const MAX_FAILURES = 3;

/** The number of blocks that the node searches in one request. All items of a run share this limit. */
const SPAN_LIMIT = sharedKey('stark.spanLimit', () => ({ blocks: Infinity }));

/**
 * Reads the events of a range of blocks in the order of the chain. The range is read in one request if the node
 * accepts that, and otherwise in parts. A part that fails is read again from its first block, without the events that
 * were already given.
 */
export async function* readEvents(
	reader: RpcReader,
	filter: EventFilter,
	{ from, to }: BlockRange,
	wanted = Infinity,
): AsyncGenerator<StarkEvent[]> {
	const reading = new RangeReading(reader, filter, { from, to }, wanted);
	while (!reading.isDone) yield* reading.readNext();
}

class RangeReading {
	private readonly limit;
	/**
	 * The number of blocks in a part of the range. It becomes smaller when the blocks hold too many events for one
	 * answer.
	 */
	private span = Infinity;
	/** The number of events that were already given of the blocks since `from`. */
	private given = 0;
	private failures = 0;

	constructor(
		private readonly reader: RpcReader,
		private readonly filter: EventFilter,
		private range: BlockRange,
		private missing: number,
	) {
		this.limit = reader.shared(SPAN_LIMIT);
	}

	get isDone(): boolean {
		return this.range.from > this.range.to || this.missing <= 0;
	}

	async *readNext(): AsyncGenerator<StarkEvent[]> {
		const [first = this.range, ...others] = this.cutParts();
		try {
			// The events of the first part of the range are passed on page by page. The events of each later part are
			// passed on when that part is complete.
			const rest = others.map(
				async (part) => await collectPages(this.readPart(part, this.missing)),
			);
			rest.forEach(markHandled);
			yield* this.give(first, this.readPart(first, this.missing + this.given));
			for (const [index, part] of others.entries()) {
				if (this.missing <= 0) return;
				yield* this.give(part, [(await rest[index]) ?? []]);
			}
		} catch (failure) {
			this.recover(failure, this.cutParts()[0] ?? this.range);
		}
	}

	private cutParts(): BlockRange[] {
		const { from, to } = this.range;
		const blocks = Math.min(this.limit.blocks, this.span);
		if (blocks > to - from) return [this.range];
		const parts = Array.from({ length: PARALLEL_PARTS }, (_, index) => from + index * blocks);
		return parts
			.filter((start) => start <= to)
			.map((start) => ({ from: start, to: Math.min(start + blocks - 1, to) }));
	}

	private readPart(part: BlockRange, wanted: number): AsyncGenerator<StarkEvent[]> {
		return readEventPages(this.reader, this.filter, part, wanted);
	}

	/** Passes on the new events of a part, and makes the range begin with the block after the part. */
	private async *give(
		part: BlockRange,
		pages: AsyncIterable<StarkEvent[]> | Iterable<StarkEvent[]>,
	): AsyncGenerator<StarkEvent[]> {
		let known = this.given;
		for await (const page of pages) {
			const accepted = page.filter((event) => this.isAccepted(event));
			const fresh = accepted.slice(known, known + this.missing);
			known = Math.max(0, known - accepted.length);
			this.given += fresh.length;
			this.missing -= fresh.length;
			if (fresh.length > 0) this.failures = 0;
			yield fresh;
			if (this.missing <= 0) return;
		}
		this.range = { from: part.to + 1, to: this.range.to };
		this.given = 0;
		this.failures = 0;
	}

	/**
	 * Whether an event is in an accepted block. An event without a block number or hash is in the block being made, and
	 * may still leave it. If the filter names the last block, an event needs only a block number here. A trigger
	 * itself refuses an event without a hash.
	 */
	private isAccepted({ blockNumber, blockHash }: StarkEvent): boolean {
		return blockNumber !== null && (blockHash !== null || this.filter.lastBlock !== undefined);
	}

	/**
	 * Prepares reading again after a failure, in smaller parts if the part was too large. Throws the failure if reading
	 * again cannot help.
	 */
	private recover(failure: unknown, { from, to }: BlockRange): void {
		if (!(failure instanceof RequestFailure)) rethrow(failure);
		const because = findReason(failure);
		const blocks = to - from + 1;
		if (because === undefined || this.failures++ === maxFailures(because)) throw failure;
		if (because === 'token') return;
		if (blocks === 1) throw withAdvice(failure, `Block ${from} alone was asked for.`);
		const less = Math.ceil(blocks / 2);
		if (because === 'blocks') this.limit.blocks = Math.min(this.limit.blocks, less);
		else this.span = less;
	}
}

/**
 * Why reading a part of the range failed. `token`: the page token is no longer valid. `lost`: no answer came, perhaps
 * because it was too large.
 */
type Reason = 'blocks' | 'contents' | 'lost' | 'token';

function findReason(failure: RequestFailure): Reason | undefined {
	if (getErrorCode(failure) === ERROR_CODES.tokenUnknown) return 'token';
	const limit =
		failure.answer === undefined ? undefined : findSearchLimit(failure.message.toLowerCase());
	if (limit !== undefined) return limit;
	return failure.httpCode === 500 || failure.retry?.because === 'lost' ? 'lost' : undefined;
}

/**
 * Returns how often reading a part of the range may fail. There is no limit for a part that was too large, because it
 * is made smaller until it has one block.
 */
function maxFailures(because: Reason): number {
	return because === 'lost' || because === 'token' ? MAX_FAILURES : Infinity;
}

/**
 * Reads the numbers of the first and the last block of a range. The head of the chain is read once, at the beginning.
 */
export async function readRange(
	reader: RpcReader,
	{ fromBlock, toBlock }: { readonly fromBlock: BlockId | DistanceBack; readonly toBlock: BlockId },
): Promise<BlockRange> {
	if (isDistanceBack(fromBlock)) return await readRangeBack(reader, fromBlock, toBlock);
	const [from, to] = await Promise.all([
		readNumber(reader, fromBlock),
		readNumber(reader, toBlock),
	]);
	if (from > to && getNumber(fromBlock) !== undefined && getNumber(toBlock) !== undefined)
		throw new InvalidInput("'From Block' must not be later than 'To Block'");
	return { from, to };
}

async function readRangeBack(
	reader: RpcReader,
	back: DistanceBack,
	toBlock: BlockId,
): Promise<BlockRange> {
	const to = await readNumber(reader, toBlock);
	const from = await findFirstBlock(back, to, async (number) => await readTime(reader, number));
	return { from, to };
}

async function readTime(reader: RpcReader, number: number): Promise<number | undefined> {
	const found = await findBlock(reader, { block_number: number });
	if (!found) return undefined;
	return isIndex(found.timestamp)
		? found.timestamp
		: raise(invalidResponseError('the time of a block', found));
}

async function readNumber(reader: RpcReader, block: BlockId): Promise<number> {
	const number = getNumber(block);
	if (number !== undefined) return number;
	if (block === 'latest') return await readHeadNumber(reader);
	const found = await findBlock(reader, block);
	if (!found) throw new RequestFailure(`The chain node has no block ${JSON.stringify(block)}`);
	return isIndex(found.block_number)
		? found.block_number
		: raise(invalidResponseError('the number of a block', found));
}

function getNumber(block: BlockId): number | undefined {
	return typeof block === 'object' && 'block_number' in block ? block.block_number : undefined;
}
