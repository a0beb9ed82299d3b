import type { ChainView } from '../../../nodes/core/follow/advance';
import type { ChainEvent } from '../../../nodes/core/follow/cursor';
import type { BlockRef } from '../../../nodes/core/evm/blocks';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';

interface Block extends BlockRef {
	readonly events: readonly ChainEvent[];
}

/** No reorganization goes further below the highest block that has existed. */
const MAX_REORG_DEPTH = 30;

/** A chain that grows, reorganizes and lags. No hash is repeated. */
export class ModelChain {
	private blocks: Block[] = [];
	private made = 0;
	private tallest = 0;
	/** How many of the latest blocks the answering node lacks. */
	private unseen = 0;
	/** How often it has changed. */
	changes = 0;
	/** Is called before each answer, with the number of previous answers. */
	beforeAnswer: (answers: number) => void = () => {};
	private answers = 0;

	constructor(
		length: number,
		private readonly emitsRemovals: boolean,
	) {
		this.grow(new Array<number>(length).fill(1));
	}

	/** The latest block that can be seen. */
	get height(): number {
		return this.blocks.length - 1 - this.unseen;
	}

	/** Adds blocks with these numbers of events; a chain of blocks alone has one in each, the block itself. */
	grow(events: readonly number[]): void {
		this.changes++;
		for (const count of events) {
			const block = { number: this.blocks.length, hash: `0x${++this.made}` };
			const ids = Array.from({ length: this.emitsRemovals ? count : 1 }, () => ++this.made);
			this.blocks.push({
				...block,
				events: ids.map((id) => ({ block, json: { id, ...block } })),
			});
		}
		this.tallest = Math.max(this.tallest, this.blocks.length - 1);
	}

	/** Replaces the latest blocks. */
	reorganize(depth: number, events: readonly number[]): void {
		const lowest = Math.max(1, this.tallest - MAX_REORG_DEPTH);
		this.blocks.length = Math.min(this.blocks.length, Math.max(lowest, this.blocks.length - depth));
		this.grow(events);
		this.unseen = Math.min(this.unseen, this.blocks.length - 1);
	}

	/** Makes answers come from a node that is this many blocks behind. */
	lag(blocks: number): void {
		this.changes++;
		this.unseen = Math.min(blocks, this.blocks.length - 1);
	}

	getEvents(from: number, to: number): ChainEvent[] {
		return this.blocks.slice(from, to + 1).flatMap(({ events }) => events);
	}

	getBlockRef(number: number): BlockRef | null {
		const { hash } = this.blocks[number] ?? {};
		return hash && number <= this.height ? { number, hash } : null;
	}

	get view(): ChainView {
		this.answers = 0;
		const answer = async <T,>(read: () => T): Promise<T> => {
			this.beforeAnswer(this.answers++);
			return read();
		};
		return {
			emitsRemovals: this.emitsRemovals,
			readBlockRef: async (number) => await answer(() => this.getBlockRef(number)),
			// Blocks are read one by one, because a node's answers may come from different moments.
			readEvents: async ({ from, to }) => {
				const found: ChainEvent[] = [];
				for (let number = from; number <= to; number++) {
					found.push(...(await answer(() => this.getSeenEvents(number))));
				}
				return found;
			},
		};
	}

	private getSeenEvents(number: number): ChainEvent[] {
		if (number > this.height) throw new RequestFailure('The node does not have this block yet');
		return this.getEvents(number, number);
	}
}
