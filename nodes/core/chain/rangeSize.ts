import { findLargest } from '../values/numbers';
import { countBlocks, type BlockRange } from './blocks';
import type { RangeRefusal } from './rangeRefusal';
import { sharedKey } from '../net/pacing/shared';

/**
 * The largest number of blocks that the node accepts in one search, whatever they contain. All items of a run share
 * it.
 */
interface SpanLimit {
	blocks: number;
}

export const SPAN_LIMIT = sharedKey('chain.spanLimit', (): SpanLimit => ({ blocks: Infinity }));

/** A refused search, with its number of blocks. */
interface RefusedSpan {
	readonly blocks: number;
	readonly refusal: RangeRefusal;
}

/** After this many refusals in a row, the sizes that the node suggests are no longer used. */
const MAX_TRUSTED_REFUSALS = 3;
/** After this many answers, a size that once failed is tried again, because it may have failed by chance. */
const FORGET_AFTER_ANSWERS = 20;
/**
 * The share of its blocks to which a failed search shrinks. A lost answer does not show how much is too much, so its
 * share is smaller.
 */
const RETRY_SHARE = { contents: 1 / 2, lost: 1 / 4 };

/** Finds out how many blocks a search may span. Only refusals of the node show the limit. */
export class BlockSpan {
	private wanted: number;
	private refusals = 0;
	private answers = 0;
	/** The smallest number of blocks for which a search found too much, or got no answer. */
	private failedAt = Infinity;

	constructor(
		private readonly limit: SpanLimit = SPAN_LIMIT.create(),
		private readonly maxBlocks = Infinity,
	) {
		this.wanted = maxBlocks;
	}

	/** The number of blocks for the next search. Other items of the run may have lowered the limit meanwhile. */
	get blocks(): number {
		return Math.min(this.wanted, this.limit.blocks);
	}

	/** Whether the next search is as wide as the node allows. */
	get isAtLimit(): boolean {
		return this.blocks >= this.limit.blocks;
	}

	/** Makes the next search smaller after some searches that ran at the same time were refused. */
	narrow(refused: readonly RefusedSpan[]): void {
		this.refusals++;
		this.answers = 0;
		for (const { blocks, refusal } of refused) {
			const next = this.getNextBelow(blocks, refusal);
			if (refusal.because === 'blocks') this.limit.blocks = Math.min(this.limit.blocks, next);
			else this.failedAt = Math.min(this.failedAt, blocks);
			this.wanted = Math.max(1, Math.min(this.blocks, next));
		}
	}

	/** Allows up to twice as many blocks after successful searches, but at most `most`. */
	widen(answers = 1, most = Infinity): void {
		this.refusals = 0;
		this.answers += answers;
		if (this.answers >= FORGET_AFTER_ANSWERS) this.failedAt = Infinity;
		const wider = Math.max(this.blocks, Math.min(this.blocks * 2, most));
		this.wanted = Math.max(
			1,
			Math.min(wider, this.limit.blocks, this.maxBlocks, this.failedAt - 1),
		);
	}

	reset(): void {
		this.limit.blocks = Infinity;
		this.failedAt = Infinity;
		this.wanted = this.maxBlocks;
	}

	private getNextBelow(blocks: number, { because, blocks: proposed }: RangeRefusal): number {
		if (proposed !== undefined && this.refusals <= MAX_TRUSTED_REFUSALS)
			return Math.min(proposed, blocks - 1);
		if (because === 'blocks') return findUsualLimitBelow(blocks);
		return Math.ceil(blocks * (because === 'lost' ? RETRY_SHARE.lost : RETRY_SHARE.contents));
	}
}

/** Returns the next lower usual limit. Usual limits are 1, 2 or 5 times a power of 10. */
function findUsualLimitBelow(blocks: number): number {
	const power = 10 ** (String(blocks - 1).length - 1);
	return [5, 2, 1].map((digit) => digit * power).find((usual) => usual < blocks) ?? 1;
}

/** How many parts of a range may be read at the same time: `grown` applies when the node allows no wider parts. */
const MAX_PARALLEL_PARTS = { growing: 16, grown: 64 };
/** The largest number of results that may arrive at the same time. */
const MAX_PARALLEL_RESULTS = 20_000;

interface RefusedRange {
	readonly range: BlockRange;
	readonly refusal: RangeRefusal;
}

interface FoundRange {
	readonly range: BlockRange;
	readonly found: readonly unknown[];
}

/**
 * Controls how wide the parts of a range are and how many are read at the same time, so that results never become too
 * many.
 */
export class RangePace {
	parallelParts = 1;
	/** The largest number of results in a part so far. */
	private maxPartResults = 0;

	constructor(private readonly span: BlockSpan) {}

	get blocks(): number {
		return this.span.blocks;
	}

	/** Makes parts smaller after refusals, and reads only one part at a time until the next answer. */
	narrow(refused: readonly RefusedRange[]): void {
		this.span.narrow(
			refused.map(({ range, refusal }) => ({ blocks: countBlocks(range), refusal })),
		);
		this.parallelParts = 1;
	}

	/** Reads more parts at the same time after answers. When no more are allowed, it makes the parts wider. */
	widen(read: readonly FoundRange[], missing: number): void {
		const counts = read.map((part) => part.found.length);
		const total = counts.reduce((sum, count) => sum + count, 0);
		this.maxPartResults = Math.max(this.maxPartResults, findLargest(counts));
		const densest = findLargest(read.map((part) => part.found.length / countBlocks(part.range)));
		const room = Math.min(
			this.span.isAtLimit ? MAX_PARALLEL_PARTS.grown : MAX_PARALLEL_PARTS.growing,
			MAX_PARALLEL_RESULTS / Math.max(findLargest(counts), 1),
		);
		const needed = total === 0 ? Infinity : Math.ceil((missing * read.length) / total);
		const wider = densest === 0 ? Infinity : Math.floor(this.maxPartResults / densest);
		this.span.widen(read.length, this.parallelParts < room ? this.blocks : wider);
		this.parallelParts = Math.max(1, Math.floor(Math.min(this.parallelParts * 2, room, needed)));
	}
}
