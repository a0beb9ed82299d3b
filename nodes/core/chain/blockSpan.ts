import type { RangeRefusal } from './rangeRefusal';

/** How many blocks the node searches at once, whatever they hold: what one item of a run learns helps the others. */
export interface SpanLimit {
	blocks: number;
}

export const spanLimit = (): SpanLimit => ({ blocks: Infinity });

/** What is said to be too much, of how many blocks. */
interface RefusedSpan {
	readonly blocks: number;
	readonly refusal: RangeRefusal;
}

/** A node that keeps proposing what it then refuses is not believed any longer. */
const BELIEVED = 3;
/** So many answers later, what failed without a reason is tried again: it may have failed by chance. */
const FORGIVEN_AFTER = 20;
/** A lost answer tells nothing but that it was too much, if it was. */
const SHARE = { contents: 1 / 2, lost: 1 / 4 };

/** How many blocks a search may span, learned from what the node refuses: the one way to learn it. */
export class BlockSpan {
	blocks: number;
	private refusals = 0;
	private answers = 0;
	/** So many were too much for what they held, or for the node's patience. */
	private failedAt = Infinity;

	constructor(
		private readonly limit: SpanLimit = spanLimit(),
		private readonly most = Infinity,
	) {
		this.blocks = Math.min(limit.blocks, most);
	}

	/** Whether no search may ever span more. */
	get isAtLimit(): boolean {
		return this.blocks >= this.limit.blocks;
	}

	/** After the refusals of searches that were under way together. */
	narrow(refused: readonly RefusedSpan[]): void {
		this.refusals++;
		this.answers = 0;
		for (const { blocks, refusal } of refused) {
			const next = this.nextBelow(blocks, refusal);
			if (refusal.because === 'blocks') this.limit.blocks = Math.min(this.limit.blocks, next);
			else this.failedAt = Math.min(this.failedAt, blocks);
			this.blocks = Math.max(1, Math.min(this.blocks, next));
		}
	}

	/** After so many answers: up to twice as many blocks, if so many may make sense. */
	widen(answers = 1, most = Infinity): void {
		this.refusals = 0;
		this.answers += answers;
		if (this.answers >= FORGIVEN_AFTER) this.failedAt = Infinity;
		const wider = Math.max(this.blocks, Math.min(this.blocks * 2, most));
		this.blocks = Math.max(1, Math.min(wider, this.limit.blocks, this.most, this.failedAt - 1));
	}

	reset(): void {
		this.limit.blocks = Infinity;
		this.failedAt = Infinity;
		this.blocks = this.most;
	}

	private nextBelow(blocks: number, { because, blocks: proposed }: RangeRefusal): number {
		if (proposed !== undefined && this.refusals <= BELIEVED) return Math.min(proposed, blocks - 1);
		if (because === 'blocks') return usualBelow(blocks);
		return Math.ceil(blocks * (because === 'lost' ? SHARE.lost : SHARE.contents));
	}
}

/** The next lower one of the limits that people set: 1, 2, 5, 10, 20, 50 … */
export function usualBelow(blocks: number): number {
	const power = 10 ** (String(blocks - 1).length - 1);
	return [5, 2, 1].map((digit) => digit * power).find((usual) => usual < blocks) ?? 1;
}
