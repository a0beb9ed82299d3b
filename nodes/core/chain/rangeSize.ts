import { findLargest } from '../values/numbers';
import { countBlocks, type BlockRange } from './blocks';
import type { RangeRefusal } from './rangeRefusal';
import { sharedKey } from '../net/pacing/shared';

/** How many blocks the node searches at once, whatever they contain. All items of a run share this number. */
interface SpanLimit {
	blocks: number;
}

export const SPAN_LIMIT = sharedKey('chain.spanLimit', (): SpanLimit => ({ blocks: Infinity }));

/** A search that was refused, with the number of its blocks. */
interface RefusedSpan {
	readonly blocks: number;
	readonly refusal: RangeRefusal;
}

/** A node that refuses its own suggestion is no longer trusted. */
const MAX_TRUSTED_REFUSALS = 3;
/** After this many answers, a size that failed without a reason is tried again, because it may have failed by chance. */
const FORGET_AFTER_ANSWERS = 20;
/** A lost answer shows only that the search may have been too large. */
const RETRY_SHARE = { contents: 1 / 2, lost: 1 / 4 };

/** How many blocks a search may span. Only refusals of the node show this. */
export class BlockSpan {
	private wanted: number;
	private refusals = 0;
	private answers = 0;
	/** The smallest number of blocks that had too many results, or that got no answer. */
	private failedAt = Infinity;

	constructor(
		private readonly limit: SpanLimit = SPAN_LIMIT.create(),
		private readonly maxBlocks = Infinity,
	) {
		this.wanted = maxBlocks;
	}

	/** Other items of the run may have found a lower limit meanwhile. */
	get blocks(): number {
		return Math.min(this.wanted, this.limit.blocks);
	}

	/** Whether no search can span more blocks. */
	get isAtLimit(): boolean {
		return this.blocks >= this.limit.blocks;
	}

	/** Is called after refusals of searches that ran together. */
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

	/** Is called after answers: allows up to twice as many blocks, up to `most`. */
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

/** The next lower one of the limits that people set: 1, 2, 5, 10, 20, 50 … */
function findUsualLimitBelow(blocks: number): number {
	const power = 10 ** (String(blocks - 1).length - 1);
	return [5, 2, 1].map((digit) => digit * power).find((usual) => usual < blocks) ?? 1;
}

/** How many parts are read at the same time. It grows when parts cannot become wider. */
const MAX_PARALLEL_PARTS = { growing: 16, grown: 64 };
/** How many results may arrive at the same moment. */
const MAX_PARALLEL_RESULTS = 20_000;

interface RefusedRange {
	readonly range: BlockRange;
	readonly refusal: RangeRefusal;
}

interface FoundRange {
	readonly range: BlockRange;
	readonly found: readonly unknown[];
}

/** How many parts are read at the same time, and how wide they are, so that neither an answer nor the memory overflows. */
export class RangePace {
	parallelParts = 1;
	/** The most results that a part has held so far. */
	private maxPartResults = 0;

	constructor(private readonly span: BlockSpan) {}

	get blocks(): number {
		return this.span.blocks;
	}

	/** Makes parts narrower, and reads one part at a time until one is answered. */
	narrow(refused: readonly RefusedRange[]): void {
		this.span.narrow(
			refused.map(({ range, refusal }) => ({ blocks: countBlocks(range), refusal })),
		);
		this.parallelParts = 1;
	}

	/** Reads more parts side by side, then wider ones. */
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
