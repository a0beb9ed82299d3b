import type { IDataObject, ITriggerFunctions } from 'n8n-workflow';
import type { BlockRef, ChainId } from '../core/chain/blocks';
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
import type { ExecutionQueue } from './executionQueue';

/** After an outage of n8n at most so many blocks are read. An outage of the node is always bridged. */
const MOST_MISSED = 100_000;

/** How far the chain was read, over one connection after another, and the items found since the last commit. */
export class Position {
	/** As far as the chain was read. */
	private state: SavedState | undefined;
	/** As far as executions were started. */
	private committed: SavedState | undefined;
	private items: ChainObject[] = [];
	/** The blocks of the items, each with what became of it. */
	private readonly blocks = new Set<string>();

	constructor(
		private readonly storage: PositionStorage,
		private readonly watched: string,
		private readonly executions: ExecutionQueue,
	) {
		this.state = storage.load();
	}

	/** Resumes; starts at the head with nothing saved, on another chain, or when something else is watched. */
	begin(chain: ChainId, head: BlockRef): void {
		const { state, watched } = this;
		const hasBegun = this.committed !== undefined;
		const isSame = state !== undefined && isOnChain(state, chain, head);
		const resumes = isSame && state.watched === watched;
		const first = head.number - MOST_MISSED + 1;
		const isTooFar = resumes && !hasBegun && state.cursor.next < first;
		if (resumes && !isTooFar) {
			this.state = { ...state, chain: nowKnown(state.chain, chain) };
			this.committed ??= this.state;
			return;
		}
		const cursor = isTooFar ? startFrom(first) : startAt(head);
		this.state = this.committed = { chain, watched, cursor };
		this.save();
		if (isTooFar || (state && !isSame)) this.storage.begunAnew(cursor.next);
	}

	get cursor(): Cursor {
		return (this.state as SavedState).cursor;
	}

	apply({ cursor, emissions }: Advance, view: ChainView): void {
		this.state = { ...(this.state as SavedState), cursor };
		for (const emission of emissions) {
			this.items.push(itemOf(emission, view));
			this.blocks.add(`${emission.block} ${emission.change} ${cursor.reorgs}`);
		}
	}

	/**
	 * Starts an execution with the items; n8n saves the position with it. As long as one could not be stored, the saved
	 * position is the one before it. The same blocks have the same key: n8n stores them once.
	 */
	async commit(closed: AbortSignal): Promise<void> {
		const { state, committed, watched, blocks } = this;
		if (this.items.length === 0) return;
		const key = JSON.stringify([watched, ...blocks]);
		blocks.clear();
		this.committed = state;
		this.executions.add({
			items: this.items.splice(0),
			key,
			save: () => this.save(),
			restore: () => this.save(committed),
		});
		await this.executions.waitForRoom(closed);
	}

	private save(state = this.committed): void {
		if (state) this.storage.save(state);
	}
}

export interface PositionStorage {
	load(): SavedState | undefined;
	/** n8n stores it with the next execution that is started, and when a workflow has been activated. */
	save(saved: SavedState): void;
	/** Warns that what was saved is of no use any more. */
	begunAnew(block: number): void;
}

/** Activated by hand, a workflow starts at the head; after a restart of n8n it resumes. */
const RESUMING = ['init', 'leadershipChange', 'update'];

/** In n8n's static data. */
export function storageOf(context: ITriggerFunctions, closing: AbortSignal): PositionStorage {
	if (context.getMode() === 'manual') {
		return { load: () => undefined, save: () => {}, begunAnew: () => {} };
	}
	const data = context.getWorkflowStaticData('node');
	return {
		load: () =>
			RESUMING.includes(context.getActivationMode()) ? savedStateIn(data.saved) : undefined,
		// What is found while closing is not emitted, so it must not count as emitted.
		save: (saved) => {
			if (!closing.aborted) data.saved = forStorage(saved) as unknown as IDataObject;
		},
		begunAnew: (block) =>
			context.logger.warn(
				`'${context.getNode().name}' finds a different chain than before, or has missed too much of it: it continues from block ${block}`,
			),
	};
}
