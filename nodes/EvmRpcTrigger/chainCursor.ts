import { createHash } from 'crypto';
import type { BlockRange, BlockRef, ChainIdentity } from '../core/chain/blocks';
import type { JsonObject } from '../core/values/json';
import type { ChainView } from '../core/chain/advance';
import {
	belongsToChain,
	mergeChainIdentity,
	createCursorAfter,
	createCursorFrom,
	formatEmission,
	type CursorAdvance,
	type Cursor,
	type SavedCursor,
} from '../core/chain/cursor';
import { raise } from '../core/errors/raise';
import type { Execution } from './executionQueue';

/**
 * After a restart this many blocks are emitted one by one, as if they were new: n8n may have stored an execution, and
 * been killed before it stored the cursor that goes with it.
 */
const REPLAY_BLOCKS = 16;

/** How reading continues over a new connection. */
interface Resumption {
	/** Whether reading starts at a different block than the last position. */
	readonly isNew: boolean;
	/** Whether the chain is another one than before. */
	readonly isOtherChain: boolean;
	/** These blocks are left out, because too many blocks were missed while n8n was not running. */
	readonly skipped?: BlockRange;
}

/** How far the chain was read, over one connection after another, and the items found since the last execution. */
export class ChainCursor {
	private hasResumed = false;
	private replayUntil = 0;
	private readonly items: JsonObject[] = [];
	/** The blocks of the items, each with the state of its execution. */
	private readonly blocks = new Set<string>();

	constructor(
		private state: SavedCursor | undefined,
		private readonly watched: string,
		/** How many blocks to go back after a restart of n8n. */
		private readonly maxBlocks: number,
	) {}

	/** Resumes reading. Starts at the head if nothing is saved, on another chain, or if the user's choice has changed. */
	resume(chain: ChainIdentity, head: BlockRef): Resumption {
		const { state, watched, hasResumed } = this;
		this.hasResumed = true;
		const isSame = state !== undefined && belongsToChain(state, chain, head);
		const isOtherChain = state !== undefined && !isSame;
		if (!isSame || state.watched !== watched) {
			this.state = { chain, watched, cursor: createCursorAfter(head) };
			return { isNew: true, isOtherChain };
		}
		const { next } = state.cursor;
		const first = head.number - this.maxBlocks + 1;
		if (!hasResumed && next < first) {
			this.state = { chain, watched, cursor: createCursorFrom(first) };
			return { isNew: true, isOtherChain, skipped: { from: next, to: first - 1 } };
		}
		this.state = { ...state, chain: mergeChainIdentity(state.chain, chain) };
		if (!hasResumed) this.replayUntil = next + REPLAY_BLOCKS;
		return { isNew: false, isOtherChain };
	}

	/** The state to be saved, once the chain is known. */
	get saved(): SavedCursor {
		return this.state ?? raise(new Error('No connection has resumed yet'));
	}

	get current(): Cursor {
		return this.saved.cursor;
	}

	/** The last block that may be read at once. */
	get lastReadable(): number {
		const { next } = this.current;
		return next < this.replayUntil ? next : Infinity;
	}

	apply({ cursor, emissions }: CursorAdvance, view: ChainView): void {
		this.state = { ...this.saved, cursor };
		for (const emission of emissions) {
			this.items.push(formatEmission(emission, view));
			this.blocks.add(`${emission.block} ${emission.change} ${cursor.reorgs}`);
		}
	}

	/**
	 * Takes what was found since the last execution. The key depends on the blocks, so that n8n stores the same blocks once.
	 */
	takeExecution(): Execution | undefined {
		if (this.items.length === 0) return undefined;
		const key = hashParts([this.watched, ...this.blocks]);
		this.blocks.clear();
		return { items: this.items.splice(0), key, cursor: this.saved };
	}
}

function hashParts(parts: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
