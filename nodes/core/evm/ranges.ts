import { countBlocks, type BlockRange } from '../chain/blocks';
import { InvalidInput } from '../errors/invalidInput';
import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import type { Chain } from '../protocols/rpc/operation';
import { collectPages } from '../protocols/rpc/pages';
import { numberToHex } from '../values/numbers';
import { isRecord } from '../values/parse';
import { parseBlockNumber } from './blocks';
import { findRangeRefusal, type RangeRefusal } from '../chain/rangeRefusal';
import { BlockSpan, SPAN_LIMIT, RangePace } from '../chain/rangeSize';
import { raise } from '../errors/raise';

/** The ends of a range of blocks: numbers as 0x-hex, or names such as `latest`. */
export interface RangeEnds {
	readonly from: string;
	readonly to: string;
}

/** Searches a range, and yields pages of results. `wanted` limits the size of a page if the server lets it be chosen. */
type RangeSearch<T> = (ends: RangeEnds, wanted: number) => AsyncIterable<readonly T[]>;

interface ReadRangeOptions<T> {
	/** How many results the run takes. Later results are neither read nor returned. */
	readonly wanted?: number;
	/** How many of the first results are left out. */
	readonly skip?: number;
	/**
	 * The search over the whole range, if it differs from the search over its parts. It leaves out the first `skip` results
	 * itself.
	 */
	readonly whole?: RangeSearch<T>;
}

/** Builds a range from its ends. Throws if the first block is later than the last block. */
export function buildRangeEnds({ fromBlock, toBlock }: GivenEnds): RangeEnds {
	if ((parseNumberedBlock(fromBlock) ?? 0) > (parseNumberedBlock(toBlock) ?? Infinity)) {
		throw new InvalidInput("'From Block' must not be later than 'To Block'");
	}
	return { from: fromBlock, to: toBlock };
}

interface GivenEnds {
	readonly fromBlock: string;
	readonly toBlock: string;
}

const ANY_RANGE: BlockRange = { from: 0, to: Infinity };

/**
 * Reads a list over a range of blocks in one request, or in parts if the node refuses. The result is the same, and a
 * named end such as `latest` is looked up only once.
 */
export async function* readRange<T>(
	chain: Chain,
	search: RangeSearch<T>,
	ends: RangeEnds,
	{ wanted = Infinity, skip = 0, whole = search }: ReadRangeOptions<T> = {},
): AsyncGenerator<readonly T[]> {
	const known = parseRangeNumbers(ends);
	const most = chain.shared(SPAN_LIMIT).blocks;
	let given = 0;
	let failure: RequestFailure | undefined;
	// Names of blocks are looked up only after a refusal, because the node knows best what they mean.
	const blocks = known ? countBlocks(known) : Infinity;
	if (blocks > 0 && blocks <= most) {
		try {
			for await (const page of whole(ends, wanted)) {
				yield page.slice(0, wanted - given);
				given += page.length;
				if (given >= wanted) return;
			}
			return;
		} catch (error) {
			failure = requireRefusal(error, known ?? ANY_RANGE).failure;
		}
	}
	let left = given + skip;
	for await (const page of readParts(chain, search, ends, { wanted: wanted + skip, failure })) {
		yield page.slice(left);
		left = Math.max(0, left - page.length);
	}
}

/** A part of a range of blocks. `found` has its results once it is read. */
interface RangePart<T> {
	readonly range: BlockRange;
	readonly found?: readonly T[];
}

interface RefusedPart {
	readonly range: BlockRange;
	readonly refusal: RangeRefusal;
	readonly failure: RequestFailure;
	/** Whether some pages of the part arrived before the refusal. */
	readonly hasBegun?: boolean;
}

/**
 * Reads a range in parts of as many blocks as the node allows. Several parts are read at the same time, and results come
 * in order.
 */
async function* readParts<T>(
	chain: Chain,
	search: RangeSearch<T>,
	ends: RangeEnds,
	{ wanted, failure }: { readonly wanted: number; readonly failure?: RequestFailure },
): AsyncGenerator<readonly T[]> {
	const range = parseRangeNumbers(ends) ?? (await readRangeNumbers(chain, ends));
	const pace = new RangePace(new BlockSpan(chain.shared(SPAN_LIMIT)));
	const recovery = new Recovery(chain, pace, range, parseNumberedBlock(ends.to) === undefined);
	let parts: ReadonlyArray<RangePart<T>> = [{ range }];
	let missing = wanted;
	if (failure) await recovery.recover([requireRefusal(failure, range)]);
	while (parts.length > 0) {
		const { asked, all } = cutParts(parts, pace);
		const most = missing;
		const outcomes = await Promise.all(
			asked.map(async (part) => await readPart(search, part, most)),
		);
		const read = new Map(asked.map((part, index) => [part, outcomes[index]]));
		const now = all.map((part) => getFoundPart(read.get(part)) ?? part);
		const open = now.findIndex((part) => !part.found);
		const complete = open < 0 ? now : now.slice(0, open);
		const list = complete.flatMap((part) => part.found ?? []).slice(0, missing);
		yield list;
		missing -= list.length;
		if (missing <= 0) return;
		parts = now.slice(complete.length);
		const refused = outcomes.filter((one) => 'refusal' in one);
		if (refused.length > 0) await recovery.recover(refused);
		else
			recovery.recordSuccess(
				outcomes.flatMap((one) => ('found' in one ? one : [])),
				missing,
			);
	}
}

async function readPart<T>(
	search: RangeSearch<T>,
	{ range }: RangePart<T>,
	wanted: number,
): Promise<Required<RangePart<T>> | RefusedPart> {
	const found: T[] = [];
	try {
		const ends = { from: numberToHex(range.from), to: numberToHex(range.to) };
		return { range, found: await collectPages(search(ends, wanted), wanted, found) };
	} catch (error) {
		return { ...requireRefusal(error, range), hasBegun: found.length > 0 };
	}
}

function getFoundPart<T>(
	outcome: RangePart<T> | RefusedPart | undefined,
): RangePart<T> | undefined {
	return outcome && !('refusal' in outcome) ? outcome : undefined;
}

/** Finds out why a node refused a range. Throws the failure again if it has nothing to do with the range. */
function requireRefusal(failure: unknown, range: BlockRange): RefusedPart {
	const refusal = failure instanceof RequestFailure ? findRangeRefusal(failure, range) : undefined;
	if (!refusal) throw failure;
	return { range, refusal, failure: failure as RequestFailure };
}

/** How often a node is asked again, each time after a second, if it does not have the latest block yet. */
const MAX_LAG_RETRIES = 10;
const LAG_WAIT_MS = 1000;
/** After this many lost answers in a row, the size of the range is not the cause. */
const MAX_LOST_ANSWERS = 3;

/** Decides how reading goes on after refusals: a little later, with smaller parts, or not at all. */
class Recovery {
	private lags = 0;
	private losses = 0;
	private readonly maxLosses: number;

	constructor(
		private readonly chain: Chain,
		private readonly pace: RangePace,
		range: BlockRange,
		private readonly endsAtHead: boolean,
	) {
		// If the whole range is one block, it cannot be split, so no lost answer is tolerated.
		this.maxLosses = countBlocks(range) === 1 ? 0 : MAX_LOST_ANSWERS;
	}

	/** Prepares to ask again after refusals of parts that were read together. Throws if asking again cannot help. */
	async recover(refused: readonly RefusedPart[]): Promise<void> {
		const late = refused.find(({ refusal }) => refusal.because === 'behind');
		if (late) {
			if (!this.endsAtHead || this.lags++ === MAX_LAG_RETRIES) throw late.failure;
			return await this.chain.wait(LAG_WAIT_MS);
		}
		this.losses = this.countLosses(refused);
		if (this.losses > this.maxLosses) throw refused[0]?.failure;
		throwIfTooFull(refused);
		this.pace.narrow(refused);
	}

	recordSuccess<T>(read: ReadonlyArray<Required<RangePart<T>>>, missing: number): void {
		[this.lags, this.losses] = [0, 0];
		this.pace.widen(read, missing);
	}

	private countLosses(refused: readonly RefusedPart[]): number {
		if (refused.some(({ refusal }) => refusal.because !== 'lost')) return 0;
		// A lost answer counts as the first in a row if some of its pages came and its part can be split.
		const isGoingOn = refused.some(({ hasBegun, range }) => hasBegun && countBlocks(range) > 1);
		return isGoingOn ? 1 : this.losses + 1;
	}
}

function throwIfTooFull(refused: readonly RefusedPart[]): void {
	const smallest = refused.find(
		({ range, refusal }) => countBlocks(range) === 1 && refusal.because !== 'lost',
	);
	if (smallest) throw withAdvice(smallest.failure, formatTooFullAdvice(smallest));
}

function formatTooFullAdvice({ range, refusal }: RefusedPart): string | undefined {
	return refusal.because === 'contents'
		? `Block ${range.from} alone holds more than the chain node returns: ask for fewer addresses, or for certain events only.`
		: undefined;
}

/** Splits the next parts off the front of the range that is not read yet. */
function cutParts<T>(
	parts: ReadonlyArray<RangePart<T>>,
	{ blocks, parallelParts: width }: RangePace,
) {
	const asked: Array<RangePart<T>> = [];
	const all = parts.flatMap((part) => {
		if (part.found) return [part];
		const pieces: Array<RangePart<T>> = [];
		const { to } = part.range;
		let { from } = part.range;
		for (; asked.length < width && from <= to; from += blocks) {
			const piece = { range: { from, to: Math.min(from + blocks - 1, to) } };
			asked.push(piece);
			pieces.push(piece);
		}
		return from <= to ? [...pieces, { range: { from, to } }] : pieces;
	});
	return { all, asked };
}

/** Looks up the numbers of the blocks at the ends of a range. */
async function readRangeNumbers(chain: Chain, { from, to }: RangeEnds): Promise<BlockRange> {
	const [first, last] = await Promise.all(
		[from, to].map(async (end) => await readBlockNumber(chain, end)),
	);
	return { from: first ?? 0, to: last ?? 0 };
}

async function readBlockNumber(chain: Chain, end: string): Promise<number> {
	const number = parseNumberedBlock(end);
	if (number !== undefined) return number;
	const block = await chain.call('eth_getBlockByNumber', [end, false]);
	if (block === null) throw new RequestFailure(`The chain node has no ${end} block`);
	return isRecord(block)
		? parseBlockNumber(block.number)
		: raise(invalidResponseError('a block', block));
}

function parseRangeNumbers(ends: RangeEnds): BlockRange | undefined {
	const [from, to] = [parseNumberedBlock(ends.from), parseNumberedBlock(ends.to)];
	return from === undefined || to === undefined ? undefined : { from, to };
}

/** Parses the number of a block; undefined for a name, except `earliest`, which is block 0. */
function parseNumberedBlock(end: string): number | undefined {
	if (end === 'earliest') return 0;
	return end.startsWith('0x') ? Number(end) : undefined;
}
