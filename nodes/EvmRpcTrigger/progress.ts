import type { IDataObject, ITriggerFunctions } from 'n8n-workflow';
import { BLOCKS_AT_ONCE, type BlockRef, type ChainId } from '../core/chain/blocks';
import type { ChainObject } from '../core/chain/objects';
import { itemOf, type ChainView } from '../core/follow/advance';
import {
	forStorage,
	isOnChain,
	nowKnown,
	savedStateIn,
	startAt,
	startFrom,
	type Advance,
	type Cursor,
	type SavedState,
} from '../core/follow/position';
import { BlockSpan } from '../core/chain/blockSpan';
import type { ExecutionQueue } from './outbox';

export interface Storage {
	load(): SavedState | undefined;
	/** n8n stores it with the next execution that is started, and when a workflow has been activated. */
	save(saved: SavedState): void;
	/** What was saved is of no use any more. */
	begunAnew(block: number): void;
}

/** A workflow that was switched on by hand begins at the head; after a restart of n8n it goes on. */
const GOES_ON = ['init', 'leadershipChange', 'update'];

export function storageOf(context: ITriggerFunctions, closing: AbortSignal): Storage {
	if (context.getMode() === 'manual') {
		return { load: () => undefined, save: () => {}, begunAnew: () => {} };
	}
	const data = context.getWorkflowStaticData('node');
	return {
		load: () =>
			GOES_ON.includes(context.getActivationMode()) ? savedStateIn(data.saved) : undefined,
		// What is not emitted any more must not count as emitted.
		save: (saved) => {
			if (!closing.aborted) data.saved = forStorage(saved) as unknown as IDataObject;
		},
		begunAnew: (block) =>
			context.logger.warn(
				`'${context.getNode().name}' finds a different chain than before, or has missed too much of it: it continues from block ${block}`,
			),
	};
}

/** What was missed while n8n was down is read, but not the blocks of many days. An outage is always bridged. */
const MOST_MISSED = 100_000;

/** How far a trigger has come, over one connection after another, and what it has not emitted yet. */
export class Progress {
	/** Kept over an outage, which may be the answer to a range that was too large. */
	readonly span = new BlockSpan(undefined, BLOCKS_AT_ONCE);
	private saved: SavedState | undefined;
	private hasBegun = false;
	private items: ChainObject[] = [];
	/** The blocks of the items, and what became of them. */
	private readonly blocks = new Set<string>();

	constructor(
		private readonly storage: Storage,
		private readonly watched: string,
		private readonly outbox: ExecutionQueue,
	) {
		this.saved = storage.load();
	}

	/** Goes on where it stopped; begins at the head with nothing saved, on another chain, or with something else to watch. */
	begin(chain: ChainId, head: BlockRef): void {
		const { saved, hasBegun, watched } = this;
		this.hasBegun = true;
		const isSame = saved !== undefined && isOnChain(saved, chain, head);
		const goesOn = isSame && saved.watched === watched;
		const first = head.number - MOST_MISSED + 1;
		const isTooFar = goesOn && !hasBegun && saved.cursor.next < first;
		if (goesOn && !isTooFar) {
			this.saved = { ...saved, chain: nowKnown(saved.chain, chain) };
			return;
		}
		const cursor = isTooFar ? startFrom(first) : startAt(head);
		this.saved = { chain, watched, cursor };
		this.storage.save(this.saved);
		if (isTooFar || (saved && !isSame)) this.storage.begunAnew(cursor.next);
	}

	get cursor(): Cursor {
		return (this.saved as SavedState).cursor;
	}

	apply({ cursor, emissions }: Advance, view: ChainView): void {
		this.saved = { ...(this.saved as SavedState), cursor };
		for (const emission of emissions) {
			this.items.push(itemOf(emission, view));
			this.blocks.add(`${emission.block} ${emission.change} ${cursor.reorgs}`);
		}
	}

	/** What was found since the last time is emitted at once: it starts one execution. Waits for n8n if it has to. */
	async flush(over: AbortSignal): Promise<void> {
		const { saved, watched, blocks } = this;
		if (!saved || this.items.length === 0) return;
		const key = JSON.stringify([watched, ...blocks]);
		blocks.clear();
		this.outbox.put({ items: this.items.splice(0), key, state: saved });
		await this.outbox.room(over);
	}
}
