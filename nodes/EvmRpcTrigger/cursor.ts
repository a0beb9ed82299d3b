import { createHash } from 'crypto';
import { deepCopy, type IDataObject, type ITriggerFunctions } from 'n8n-workflow';
import type { BlockRef, ChainIdentity } from '../core/evm/blocks';
import type { ChainObject } from '../core/evm/objects';
import { RequestFailure } from '../core/errors/requestFailure';
import { formatEmission, type ChainView } from '../core/follow/advance';
import {
	copyForStorage,
	belongsToChain,
	mergeChainIdentity,
	parseSavedState,
	createCursorAfter,
	createCursorFrom,
	type CursorAdvance,
	type Cursor,
	type SavedState,
} from '../core/follow/cursor';
import { isKeySupported } from '../core/trigger/executions';
import type { ExecutionQueue } from './executionQueue';
import {
	NO_PENDING_EXECUTIONS,
	parsePendingExecutions,
	type PendingExecutions,
} from './pendingExecutions';

/** After an outage of n8n at most so many blocks are read. An outage of the node is always bridged. */
export const MAX_MISSED_BLOCKS = 100_000;
/**
 * Where blocks are searched: n8n stores a position only with an execution, so that one far back may only mean that
 * nothing was found since.
 */
export const MAX_SEARCHED_BLOCKS = 1_000_000;

/**
 * After a restart so many blocks are told one by one, as when they were new: n8n may have stored an execution, and been
 * killed before it stored the position that goes with it.
 */
const REPLAY_BLOCKS = 16;

/** What a position is made of. */
export interface ChainCursorDeps {
	readonly storage: CursorStorage;
	readonly executions: ExecutionQueue;
	/** Tells the user of what may be lost. */
	readonly report: (cause: unknown) => void;
}

/** How far the chain was read, over one connection after another, and the items found since the last commit. */
export class ChainCursor {
	/** As far as the chain was read. */
	private state: SavedState | undefined;
	/** As far as executions were started. */
	private committed: SavedState | undefined;
	/** What an earlier life of n8n may not have stored. */
	private pendingBefore: PendingExecutions = NO_PENDING_EXECUTIONS;
	private replayUntil = 0;
	private items: ChainObject[] = [];
	/** The blocks of the items, each with what became of it. */
	private readonly blocks = new Set<string>();

	constructor(
		private readonly deps: ChainCursorDeps,
		private readonly watched: string,
		/** How far to go back after a restart of n8n. */
		private readonly maxBlocks: number,
	) {
		const { state, starts } = deps.storage.load();
		this.state = state;
		if (state?.watched === watched) this.pendingBefore = starts;
	}

	/** Resumes; starts at the head with nothing saved, on another chain, or when something else is watched. */
	resume(chain: ChainIdentity, head: BlockRef): void {
		const { state, watched } = this;
		const hasBegun = this.committed !== undefined;
		const isSame = state !== undefined && belongsToChain(state, chain, head);
		const resumes = isSame && state.watched === watched;
		const first = head.number - this.maxBlocks + 1;
		const isTooFar = resumes && !hasBegun && state.cursor.next < first;
		if (resumes && !isTooFar) {
			this.state = { ...state, chain: mergeChainIdentity(state.chain, chain) };
			if (!hasBegun) this.replayUntil = state.cursor.next + REPLAY_BLOCKS;
			this.committed ??= this.state;
			return;
		}
		const cursor = isTooFar ? createCursorFrom(first) : createCursorAfter(head);
		this.state = this.committed = { chain, watched, cursor };
		this.save(this.pendingBefore);
		if (isTooFar) this.deps.report(gapError(state.cursor.next, first - 1));
		else if (state && !isSame) this.deps.storage.warnOfAnotherChain(cursor.next);
	}

	/** Starts again what n8n may not have stored before it was killed. */
	async restartPending(closed: AbortSignal): Promise<void> {
		const { pendingBefore: before } = this;
		this.pendingBefore = NO_PENDING_EXECUTIONS;
		await this.deps.executions.restart(before, (starts) => this.save(starts), closed);
	}

	get cursor(): Cursor {
		return (this.state as SavedState).cursor;
	}

	/** The last block that may be read at once. */
	get lastReadable(): number {
		const { next } = this.cursor;
		return next < this.replayUntil ? next : Infinity;
	}

	apply({ cursor, emissions }: CursorAdvance, view: ChainView): void {
		this.state = { ...(this.state as SavedState), cursor };
		for (const emission of emissions) {
			this.items.push(formatEmission(emission, view));
			this.blocks.add(`${emission.block} ${emission.change} ${cursor.reorgs}`);
		}
	}

	/**
	 * Starts an execution with the items; n8n saves the position with it, and what it may not have stored yet. The same
	 * blocks have the same key: n8n stores them once.
	 */
	async commit(closed: AbortSignal): Promise<void> {
		const { state, watched, blocks } = this;
		const { executions } = this.deps;
		if (this.items.length === 0) return;
		const key = hashParts([watched, ...blocks]);
		blocks.clear();
		this.committed = state;
		executions.add({ items: this.items.splice(0), key, save: (starts) => this.save(starts) });
		await executions.waitForRoom(closed);
	}

	private save(starts: PendingExecutions): void {
		if (this.committed) this.deps.storage.save(this.committed, starts);
	}
}

function hashParts(parts: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function gapError(from: number, to: number): RequestFailure {
	return new RequestFailure(`Blocks ${from} to ${to} were left out after a restart of n8n`, {
		description: `The last event that n8n has stored was before them, and so many blocks are not read again. What happened in them while n8n was not running is lost. The trigger continues from block ${to + 1}.`,
	});
}

export interface CursorStorage {
	load(): { readonly state?: SavedState; readonly starts: PendingExecutions };
	/** n8n stores it with the next execution that is started, and when a workflow has been activated. */
	save(saved: SavedState, starts: PendingExecutions): void;
	/** Warns that what was saved is of no use any more. */
	warnOfAnotherChain(block: number): void;
}

/** Activated by hand, a workflow starts at the head; after a restart of n8n it resumes. */
const RESUMING_MODES = ['init', 'leadershipChange', 'update'];
/** The process that was to store the executions is no more. */
const RESTART_MODES = ['init', 'leadershipChange'];

/** In n8n's static data. */
export function createCursorStorage(
	context: ITriggerFunctions,
	closing: AbortSignal,
): CursorStorage {
	if (context.getMode() === 'manual') {
		return {
			load: () => ({ starts: NO_PENDING_EXECUTIONS }),
			save: () => {},
			warnOfAnotherChain: () => {},
		};
	}
	const data = context.getWorkflowStaticData('node');
	const mode = context.getActivationMode();
	return {
		load: () => ({
			state: RESUMING_MODES.includes(mode) ? parseSavedState(data.saved) : undefined,
			starts: RESTART_MODES.includes(mode)
				? parsePendingExecutions(data.starts)
				: NO_PENDING_EXECUTIONS,
		}),
		// What is found while closing is not emitted, so it must not count as emitted.
		save: (saved, starts) => {
			if (closing.aborted) return;
			data.saved = copyForStorage(saved) as unknown as IDataObject;
			// Without keys they would come twice.
			if (isKeySupported(context)) data.starts = deepCopy(starts) as unknown as IDataObject;
		},
		warnOfAnotherChain: (block) =>
			context.logger.warn(
				`'${context.getNode().name}' finds a different chain than before, or one that was begun anew: it continues from block ${block}`,
			),
	};
}
