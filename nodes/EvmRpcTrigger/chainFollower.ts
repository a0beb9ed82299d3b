import { createHash } from 'crypto';
import { readForward, type ChainView } from '../core/chain/advance';
import {
	BLOCKS_PER_REQUEST,
	type BlockRange,
	type BlockRef,
	type ChainIdentity,
} from '../core/chain/blocks';
import {
	belongsToChain,
	createCursorAfter,
	createCursorFrom,
	extendCursor,
	formatEmission,
	hasBlock,
	mergeChainIdentity,
	type Cursor,
	type CursorAdvance,
	type SavedCursor,
} from '../core/chain/cursor';
import { createLeastAmount } from '../core/chain/payment';
import { BlockSpan } from '../core/chain/rangeSize';
import { raise } from '../core/errors/raise';
import { RequestFailure } from '../core/errors/requestFailure';
import {
	parseBlockNumber,
	parseHeader,
	readChainIdentity,
	readHead,
	type Header,
} from '../core/evm/blocks';
import { getStoredProofs, PROOF_STATE, restoreProofs } from '../core/evm/follow/logProofs';
import { LogsMissing } from '../core/evm/follow/provenLogs';
import type { LiveView } from '../core/evm/follow/views';
import { createShared } from '../core/net/pacing/shared';
import { REMOVED_HINT } from '../core/trigger/hints';
import type { ChosenEvent, TriggerEvent, ViewSource } from '../core/trigger/triggerEvent';
import type { JsonObject } from '../core/values/json';
import { isRecord } from '../core/values/parse';
import type { Connection } from './connection';
import type { Execution } from './executionQueue';
import { ignoreUnprovable, keepReading } from './keepReading';
import type { Listener, SocketEvent, SocketStep, TriggerDeps } from './listener';
import { parseOptions } from './options';

/**
 * Makes an event for which the trigger reads block after block. After a restart of n8n, it reads at most `maxBlocks`
 * missed blocks.
 */
export function followedEvent(
	{ parseChoice, ...info }: TriggerEvent<ViewSource, LiveView>,
	maxBlocks: number,
): SocketEvent {
	return {
		...info,
		createListener: (source, deps) => {
			const least = createLeastAmount(parseOptions(source).minAmount, deps.addHint);
			return new ChainFollower({ ...parseChoice(source), least }, maxBlocks, deps);
		},
	};
}

/** The event that the user chose, and the smallest amount that starts the workflow. */
type FollowedEvent = ChosenEvent<ViewSource, LiveView> & Pick<ViewSource, 'least'>;

/**
 * Follows the chain block by block. An announcement only says that there is something to read. So each block is
 * emitted once and in order, even if it was announced twice, too late or never.
 */
export class ChainFollower implements Listener {
	readonly outageAdvice = 'Events from this time are read as soon as the chain node is back.';
	readonly cursor: ChainCursor;
	/**
	 * The number of blocks for each request. It is kept when the trigger reconnects, because a request for too many blocks may have broken
	 * the connection.
	 */
	private readonly span = new BlockSpan(undefined, BLOCKS_PER_REQUEST);
	private readonly shared = createShared();

	constructor(
		private readonly event: FollowedEvent,
		maxBlocks: number,
		private readonly deps: TriggerDeps,
	) {
		const { watched } = event;
		this.cursor = new ChainCursor(deps.executions.load(watched), watched, maxBlocks);
	}

	/** Subscribes before it reads the latest block, so that no new block is missed in between. */
	async subscribe(connection: Connection): Promise<void> {
		await connection.subscription.subscribe('newHeads');
		const chain = await readChainIdentity(connection);
		this.resume(chain, await readHead(connection));
	}

	private resume(chain: ChainIdentity, head: BlockRef): void {
		const { executions, report, warnOfAnotherChain } = this.deps;
		const { isNew, isOtherChain, skipped } = this.cursor.resume(chain, head);
		const { saved } = this.cursor;
		if (isNew) executions.saveCursor(saved);
		if (isOtherChain) warnOfAnotherChain(saved);
		if (skipped) report(blocksSkippedError(skipped));
		restoreProofs(this.shared(PROOF_STATE), saved.cursor.proofs);
	}

	async *listen(connection: Connection): AsyncGenerator<SocketStep> {
		const view = this.createView(connection);
		yield* keepReading({
			closed: connection.closed,
			timing: this.deps.timing,
			getPosition: () => this.cursor.current,
			read: (isBehind) => this.readNews(connection, view, isBehind),
			recover: (isStuck) => this.recover(view, isStuck),
			takeFound: () => this.takeFound(),
		});
	}

	/** Reads the missed blocks if the trigger is behind the chain, and then handles the announcements of new blocks. */
	private async *readNews(
		connection: Connection,
		view: LiveView,
		isBehind: boolean,
	): AsyncGenerator<SocketStep> {
		if (isBehind) yield* ignoreUnprovable(this.catchUp(connection, view));
		this.span.reset();
		yield { kind: 'caughtUp' };
		for (const message of await connection.inbox.takeAll()) {
			yield* ignoreUnprovable(this.handleMessage(message, connection, view));
		}
	}

	private recover(view: LiveView, isStuck: boolean): void {
		const { cursor, span } = this;
		// The failed attempt may have shown whether the node's logs can be proven to be complete. The cursor stores the finding.
		this.apply({ cursor: cursor.current, emissions: [] }, view);
		if (isStuck) span.narrow([{ blocks: span.blocks, refusal: { because: 'lost' } }]);
	}

	private createView({ call }: Connection): LiveView {
		const { report } = this.deps;
		return this.event.createView({
			blocks: { call, shared: this.shared },
			reportDoubt: (block) => report(new LogsMissing([block])),
			least: this.event.least,
		});
	}

	/**
	 * Handles the announcement of a block, or a block number that a ping returned. If only the ping shows a new block,
	 * the subscription may be lost, so it is renewed.
	 */
	private async *handleMessage(
		message: unknown,
		connection: Connection,
		view: LiveView,
	): AsyncGenerator<SocketStep> {
		const { current } = this.cursor;
		const header = isRecord(message) ? parseHeader(message) : undefined;
		const isKnown = header ? hasBlock(current, header) : parseBlockNumber(message) < current.next;
		if (isKnown) return;
		const step = header && (await readNextBlock(header, current, view));
		if (step) return this.apply(step, view);
		yield* this.catchUp(connection, view);
		const wasMissed = !header && this.cursor.current.next > current.next;
		if (wasMissed) await connection.subscription.renew();
	}

	/** Reads the chain from the saved position (the cursor) to the latest block. */
	private async *catchUp(connection: Connection, view: LiveView): AsyncGenerator<SocketStep> {
		const { cursor, span } = this;
		const head = await readHead(connection);
		if (hasBlock(cursor.current, head)) return;
		const last = () => Math.min(head.number, cursor.lastReadable);
		for await (const step of readForward(cursor.current, view, { head, last, span })) {
			this.apply(step, view);
			yield* this.takeFound();
		}
	}

	/** Moves the saved position (the cursor) forward. It also stores which of the node's logs can be proven to be complete. */
	private apply({ cursor, emissions }: CursorAdvance, view: LiveView): void {
		if (view.emitsRemovals && emissions.some(({ change }) => change === 'removed'))
			this.deps.addHint(REMOVED_HINT);
		const proofs = getStoredProofs(this.shared(PROOF_STATE));
		this.cursor.apply({ cursor: { ...cursor, ...proofs }, emissions }, view);
	}

	/** Gives all items that were found since the last execution. */
	private *takeFound(): Generator<SocketStep> {
		const execution = this.cursor.takeExecution();
		if (execution) yield { kind: 'found', ...execution };
	}
}

/**
 * Reads an announced block if it directly follows the cursor. Otherwise returns undefined, and the chain must be
 * read from the cursor.
 */
async function readNextBlock(
	header: Header,
	cursor: Cursor,
	view: LiveView,
): Promise<CursorAdvance | undefined> {
	const isNext = header.number === cursor.next;
	if (!isNext || header.parentHash !== cursor.checkpoints.at(-1)?.hash) return undefined;
	const events = await view.readBlockEvents(header);
	if (events.some(({ block }) => block.hash !== header.hash)) return undefined;
	return extendCursor(cursor, header, events, view.emitsRemovals);
}

function blocksSkippedError({ from, to }: BlockRange): RequestFailure {
	return new RequestFailure(`Blocks ${from} to ${to} were left out after a restart of n8n`, {
		description: `The last event that n8n has stored is older than these blocks, and they are too many to be read again. Their events from the time when n8n was not running are lost. The trigger continues from block ${to + 1}.`,
	});
}

/**
 * After a restart of n8n, this many blocks are read one at a time, as if they were new. n8n may have stored their
 * executions and been killed before it stored the cursor.
 */
const REPLAY_BLOCKS = 16;

/** Says how reading continues over a new connection. */
interface Resumption {
	/** Tells whether reading starts at another block than where it ended before. */
	readonly isNew: boolean;
	/** Tells whether the node is on another chain than before. */
	readonly isOtherChain: boolean;
	/** The blocks that are left out, because n8n was not running and missed too many blocks. */
	readonly skipped?: BlockRange;
}

/**
 * Stores how far the chain was read, also when the connection changes, and the items that were found since the last
 * execution.
 */
export class ChainCursor {
	private hasResumed = false;
	private replayUntil = 0;
	private readonly items: JsonObject[] = [];
	/** Names the blocks of the items. The key of the next execution is made from these names. */
	private readonly blocks = new Set<string>();

	constructor(
		private state: SavedCursor | undefined,
		private readonly watched: string,
		/** The highest number of missed blocks to read after a restart of n8n. */
		private readonly maxBlocks: number,
	) {}

	/**
	 * Resumes reading at the saved block. Reading starts at the latest block if nothing is saved, or if the chain or
	 * the user's choice has changed.
	 */
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

	/** The state to save. It exists only after the first connection has told which chain it is. */
	get saved(): SavedCursor {
		return this.state ?? raise(new Error('No connection has resumed yet'));
	}

	get current(): Cursor {
		return this.saved.cursor;
	}

	/** The last block that may be read in the same step. After a restart, each step reads a single block. */
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
	 * Takes the items that were found since the last execution. The execution's key is made from its blocks, so that
	 * n8n stores the same blocks only once.
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
