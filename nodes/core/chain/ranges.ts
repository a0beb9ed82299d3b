import { InvalidInput } from '../../../credentials/invalidInput';
import { RequestFailure, withAdvice } from '../errors/requestFailure';
import { invalidResponse } from '../responses/response';
import type { Chain } from '../rpc/chain';
import { largest } from '../values/numbers';
import { isRecord } from '../values/read';
import { heightOf, hex, type BlockRange } from './blocks';
import { BlockSpan, rangeRefusal, spanLimit, type RangeRefusal } from './rangeLimits';

/** The ends of a range: 0x-hex numbers, or names of blocks such as latest. */
export interface Ends {
	readonly from: string;
	readonly to: string;
}

/** A search over a range, page by page; a search whose pages have a size asks for no more than wanted. */
type RangeSearch<T> = (ends: Ends, wanted: number) => AsyncIterable<readonly T[]>;

interface Wanted<T> {
	/** How many there shall be at most. */
	readonly limit?: number;
	/** How many of the first are left out. */
	readonly skip?: number;
	/** How the whole range is asked for at once, where that differs. It leaves out the first by itself. */
	readonly whole?: RangeSearch<T>;
}

/** The range that was given, if its numbers are not the wrong way round. */
export function endsOf({ fromBlock, toBlock }: GivenRange): Ends {
	if ((numberIn(fromBlock) ?? 0) > (numberIn(toBlock) ?? Infinity)) {
		throw new InvalidInput("'From Block' must not be later than 'To Block'");
	}
	return { from: fromBlock, to: toBlock };
}

export interface GivenRange {
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
	ends: Ends,
	{ limit = Infinity, skip = 0, whole = search }: Wanted<T> = {},
): AsyncGenerator<readonly T[]> {
	const known = numbersIn(ends);
	const most = chain.memory(spanLimit).blocks;
	let given = 0;
	let failure: RequestFailure | undefined;
	// The node knows best what names stand for; only a refusal makes it necessary to ask.
	const blocks = known ? blocksIn(known) : Infinity;
	if (blocks > 0 && blocks <= most) {
		try {
			for await (const page of whole(ends, limit)) {
				yield page.slice(0, limit - given);
				given += page.length;
				if (given >= limit) return;
			}
			return;
		} catch (error) {
			failure = refusalOf(error, known ?? ANY_RANGE).failure;
		}
	}
	let left = given + skip;
	for await (const page of readParts(chain, search, ends, { wanted: limit + skip, failure })) {
		yield page.slice(left);
		left = Math.max(0, left - page.length);
	}
}

/** A part of a range, with what it holds once it was read. */
interface Part<T> {
	readonly range: BlockRange;
	readonly found?: readonly T[];
}

interface Refused {
	readonly range: BlockRange;
	readonly refusal: RangeRefusal;
	readonly failure: RequestFailure;
	/** Whether some of its pages had come. */
	readonly hasBegun?: boolean;
}

/** As many blocks at a time as the node takes, side by side, given in order. */
async function* readParts<T>(
	chain: Chain,
	search: RangeSearch<T>,
	ends: Ends,
	{ wanted, failure }: { readonly wanted: number; readonly failure?: RequestFailure },
): AsyncGenerator<readonly T[]> {
	const range = numbersIn(ends) ?? (await locate(chain, ends));
	const pace = new Pace(new BlockSpan(chain.memory(spanLimit)));
	const recovery = new Recovery(chain, pace, range, numberIn(ends.to) === undefined);
	let parts: ReadonlyArray<Part<T>> = [{ range }];
	let missing = wanted;
	if (failure) await recovery.after([refusalOf(failure, range)]);
	while (parts.length > 0) {
		const { asked, all } = cut(parts, pace);
		const most = missing;
		const outcomes = await Promise.all(
			asked.map(async (part) => await readPart(search, part, most)),
		);
		const read = new Map(asked.map((part, index) => [part, outcomes[index]]));
		const now = all.map((part) => found(read.get(part)) ?? part);
		const open = now.findIndex((part) => !part.found);
		const complete = open < 0 ? now : now.slice(0, open);
		const list = complete.flatMap((part) => part.found ?? []).slice(0, missing);
		yield list;
		missing -= list.length;
		if (missing <= 0) return;
		parts = now.slice(complete.length);
		const refused = outcomes.filter((one) => 'refusal' in one);
		if (refused.length > 0) await recovery.after(refused);
		else
			recovery.succeeded(
				outcomes.flatMap((one) => ('found' in one ? one : [])),
				missing,
			);
	}
}

async function readPart<T>(
	search: RangeSearch<T>,
	{ range }: Part<T>,
	wanted: number,
): Promise<Required<Part<T>> | Refused> {
	const found: T[] = [];
	try {
		const ends = { from: hex(range.from), to: hex(range.to) };
		return { range, found: await gathered(search(ends, wanted), wanted, found) };
	} catch (error) {
		return { ...refusalOf(error, range), hasBegun: found.length > 0 };
	}
}

/** All that is in the lists that come, as long as more is wanted. */
export async function gathered<T>(
	lists: AsyncIterable<readonly T[]>,
	wanted = Infinity,
	results: T[] = [],
): Promise<T[]> {
	for await (const list of lists) {
		// Not `push(...list)`: a list may be longer than a call may have arguments.
		for (const one of list) results.push(one);
		if (results.length >= wanted) break;
	}
	return results;
}

function found<T>(outcome: Part<T> | Refused | undefined): Part<T> | undefined {
	return outcome && !('refusal' in outcome) ? outcome : undefined;
}

/** What a failure says of the range; one that says nothing is thrown. */
function refusalOf(failure: unknown, range: BlockRange): Refused {
	const refusal = failure instanceof RequestFailure ? rangeRefusal(failure, range) : undefined;
	if (!refusal) throw failure;
	return { range, refusal, failure: failure as RequestFailure };
}

/** How often, a second apart, a node is asked again that does not have the head yet. */
const MOST_LAGS = 10;
const SECOND = 1000;
/** After so many lost answers in a row the size of the range is not to blame. */
const MOST_LOSSES = 3;

/** How reading goes on after refusals: later, with smaller parts, or not at all. */
class Recovery {
	private lags = 0;
	private losses = 0;
	private readonly mostLosses: number;

	constructor(
		private readonly chain: Chain,
		private readonly pace: Pace,
		range: BlockRange,
		private readonly endsAtHead: boolean,
	) {
		// A range of one block cannot be made smaller.
		this.mostLosses = blocksIn(range) === 1 ? 0 : MOST_LOSSES;
	}

	/** Of searches that were under way together. Throws what asking again does not help. */
	async after(refused: readonly Refused[]): Promise<void> {
		const late = refused.find(({ refusal }) => refusal.because === 'behind');
		if (late) {
			if (!this.endsAtHead || this.lags++ === MOST_LAGS) throw late.failure;
			return await this.chain.wait(SECOND);
		}
		this.losses = this.lossesWith(refused);
		if (this.losses > this.mostLosses) throw refused[0]?.failure;
		throwIfTooFull(refused);
		this.pace.narrow(refused);
	}

	succeeded<T>(read: ReadonlyArray<Required<Part<T>>>, missing: number): void {
		[this.lags, this.losses] = [0, 0];
		this.pace.widen(read, missing);
	}

	private lossesWith(refused: readonly Refused[]): number {
		if (refused.some(({ refusal }) => refusal.because !== 'lost')) return 0;
		// What can still be made smaller is not lost in a row as long as pages come.
		const isGoingOn = refused.some(({ hasBegun, range }) => hasBegun && blocksIn(range) > 1);
		return isGoingOn ? 1 : this.losses + 1;
	}
}

function throwIfTooFull(refused: readonly Refused[]): void {
	const smallest = refused.find(
		({ range, refusal }) => blocksIn(range) === 1 && refusal.because !== 'lost',
	);
	if (smallest) throw withAdvice(smallest.failure, tooFull(smallest));
}

function tooFull({ range, refusal }: Refused): string | undefined {
	return refusal.because === 'contents'
		? `Block ${range.from} alone holds more than the node returns: ask for fewer addresses, or for certain events only.`
		: undefined;
}

/** This many parts are read side by side: more where they cannot be made wider instead. */
const WIDEST = { growing: 16, grown: 64 };
/** This many results may come at the same moment. */
const RESULTS_AT_ONCE = 20_000;

/** How many parts are read side by side, and how wide: as long as neither an answer nor the memory is filled by them. */
class Pace {
	width = 1;
	/** The most results that a part has held so far. */
	private fullest = 0;

	constructor(private readonly span: BlockSpan) {}

	get blocks(): number {
		return this.span.blocks;
	}

	/** Fewer blocks at a time, and one search at a time until one of them is answered. */
	narrow(refused: readonly Refused[]): void {
		this.span.narrow(refused.map(({ range, refusal }) => ({ blocks: blocksIn(range), refusal })));
		this.width = 1;
	}

	/** More parts side by side, then wider ones. */
	widen<T>(read: ReadonlyArray<Required<Part<T>>>, missing: number): void {
		const counts = read.map((part) => part.found.length);
		const total = counts.reduce((sum, count) => sum + count, 0);
		this.fullest = Math.max(this.fullest, largest(counts));
		const densest = largest(read.map((part) => part.found.length / blocksIn(part.range)));
		const room = Math.min(
			this.span.isAtLimit ? WIDEST.grown : WIDEST.growing,
			RESULTS_AT_ONCE / Math.max(largest(counts), 1),
		);
		const needed = total === 0 ? Infinity : Math.ceil((missing * read.length) / total);
		const wider = densest === 0 ? Infinity : Math.floor(this.fullest / densest);
		this.span.widen(read.length, this.width < room ? this.blocks : wider);
		this.width = Math.max(1, Math.floor(Math.min(this.width * 2, room, needed)));
	}
}

/** Cuts the parts to ask for next off the front of what was not read yet. */
function cut<T>(parts: ReadonlyArray<Part<T>>, { blocks, width }: Pace) {
	const asked: Array<Part<T>> = [];
	const all = parts.flatMap((part) => {
		if (part.found) return [part];
		const pieces: Array<Part<T>> = [];
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

/** Asks what the names of blocks stand for. */
async function locate(chain: Chain, { from, to }: Ends): Promise<BlockRange> {
	const [first, last] = await Promise.all(
		[from, to].map(async (end) => await heightAt(chain, end)),
	);
	return { from: first ?? 0, to: last ?? 0 };
}

async function heightAt(chain: Chain, end: string): Promise<number> {
	const number = numberIn(end);
	if (number !== undefined) return number;
	const block = await chain.call('eth_getBlockByNumber', [end, false]);
	if (block === null) throw new RequestFailure(`The node has no ${end} block`);
	return isRecord(block) ? heightOf(block.number) : invalidResponse('a block', block);
}

function numbersIn(ends: Ends): BlockRange | undefined {
	const [from, to] = [numberIn(ends.from), numberIn(ends.to)];
	return from === undefined || to === undefined ? undefined : { from, to };
}

/** The number of a block, if it has none but that, or the first one. */
function numberIn(end: string): number | undefined {
	if (end === 'earliest') return 0;
	return end.startsWith('0x') ? Number(end) : undefined;
}

function blocksIn({ from, to }: BlockRange): number {
	return to - from + 1;
}
