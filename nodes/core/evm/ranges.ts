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

/** The ends of a range: 0x-hex numbers, or names of blocks such as latest. */
export interface RangeEnds {
	readonly from: string;
	readonly to: string;
}

/** A search over a range, page by page. If the server allows a page size, no more than needed is requested. */
type RangeSearch<T> = (ends: RangeEnds, wanted: number) => AsyncIterable<readonly T[]>;

interface ReadRangeOptions<T> {
	/** How many results the run will take. Later ones are neither read nor given, so no questions about them are asked. */
	readonly wanted?: number;
	/** How many of the first results are left out. */
	readonly skip?: number;
	/** The search over the whole range, if it differs. It applies `skip` itself. */
	readonly whole?: RangeSearch<T>;
}

/** Builds the given range, and refuses one whose ends are in the wrong order. */
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
 * Reads a list over a range of blocks: at once where the node takes it, else part by part, so that the list is that of
 * one request. The head stays where it was at the beginning.
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
	// The node knows best what block names mean; they are looked up only after a refusal.
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

/** A part of a range, with its results after it was read. */
interface RangePart<T> {
	readonly range: BlockRange;
	readonly found?: readonly T[];
}

interface RefusedPart {
	readonly range: BlockRange;
	readonly refusal: RangeRefusal;
	readonly failure: RequestFailure;
	/** Whether some of its pages had already arrived. */
	readonly hasBegun?: boolean;
}

/** Reads as many blocks at a time as the node allows, several parts at the same time, and gives results in order. */
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

/** Returns what a failure says about the range; throws the failure if it says nothing. */
function requireRefusal(failure: unknown, range: BlockRange): RefusedPart {
	const refusal = failure instanceof RequestFailure ? findRangeRefusal(failure, range) : undefined;
	if (!refusal) throw failure;
	return { range, refusal, failure: failure as RequestFailure };
}

/** How often, a second apart, a node is asked again if it does not have the head yet. */
const MAX_LAG_RETRIES = 10;
const LAG_WAIT_MS = 1000;
/** After this many lost answers in a row, the size of the range is not the cause. */
const MAX_LOST_ANSWERS = 3;

/** Decides how reading continues after refusals: later, with smaller parts, or not at all. */
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
		// A range of one block cannot be made smaller.
		this.maxLosses = countBlocks(range) === 1 ? 0 : MAX_LOST_ANSWERS;
	}

	/** Takes the refusals of searches that ran together. Throws a failure that cannot be solved by asking again. */
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
		// While pages still arrive and a part can still be made smaller, its losses do not count as a row.
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
		? `Block ${range.from} alone holds more than the node returns: ask for fewer addresses, or for certain events only.`
		: undefined;
}

/** Cuts the next parts off the front of the unread range. */
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

/** Reads the numbers of named blocks. */
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

/** Parses the number of a block; undefined for any name except that of the first block. */
function parseNumberedBlock(end: string): number | undefined {
	if (end === 'earliest') return 0;
	return end.startsWith('0x') ? Number(end) : undefined;
}
