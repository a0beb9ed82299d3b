import type { LiveView } from '../core/evm/follow/views';
import {
	BLOCKS_PER_REQUEST,
	type BlockRange,
	type BlockRef,
	type ChainIdentity,
} from '../core/chain/blocks';
import { createLeastAmount } from '../core/chain/payment';
import { NodeLagging } from '../core/errors/nodeLagging';
import {
	parseHeader,
	readChainIdentity,
	readHead,
	parseBlockNumber,
	type Header,
} from '../core/evm/blocks';
import { RequestFailure } from '../core/errors/requestFailure';
import { readForward } from '../core/chain/advance';
import { getStoredProofs, PROOF_STATE, restoreProofs } from '../core/evm/follow/logProofs';
import { extendCursor, hasBlock, type Cursor, type CursorAdvance } from '../core/chain/cursor';
import { LogsLate, LogsMissing } from '../core/evm/follow/provenLogs';
import { BlockSpan } from '../core/chain/rangeSize';
import { REMOVED_HINT } from '../core/trigger/hints';
import type { ChosenEvent, TriggerEvent, ViewSource } from '../core/trigger/triggerEvent';
import { computeBackoff } from '../core/net/pacing/retry';
import { wait } from '../core/net/pacing/stop';
import { isRecord, rethrow } from '../core/values/parse';
import type { Connection } from './connection';
import { ChainCursor } from './chainCursor';
import type {
	Listener,
	SocketEvent,
	SocketStep,
	SocketTriggerTiming,
	TriggerDeps,
} from './listener';
import { parseOptions } from './options';
import { createShared } from '../core/net/pacing/shared';

/** An event that is followed block by block. After a restart of n8n, at most this many blocks are read. */
export function followedEvent(
	{ choose, ...info }: TriggerEvent<ViewSource, LiveView>,
	maxBlocks: number,
): SocketEvent {
	return {
		...info,
		createListener: (source, deps) => {
			const least = createLeastAmount(parseOptions(source).minAmount, deps.addHint);
			return new ChainFollower({ ...choose(source), least }, maxBlocks, deps);
		},
	};
}

/** The event that the user chose, and the least amount that starts the workflow. */
type FollowedEvent = ChosenEvent<ViewSource, LiveView> & Pick<ViewSource, 'least'>;

const MAX_ATTEMPTS = 5;

/**
 * Follows the chain block by block. An announcement only says that there is something to read: a block that was not
 * announced, or twice, or in another order, is emitted once and in order.
 */
export class ChainFollower implements Listener {
	readonly outageAdvice = 'Events from this time are read as soon as the chain node is back.';
	readonly cursor: ChainCursor;
	/** This size is kept over reconnects, because a range that was too large may have broken the connection. */
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

	/** Subscribes before reading, so that no block falls between the head and the first announcement. */
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
		const { cursor, span } = this;
		const { timing } = this.deps;
		const view = this.createView(connection);
		let isBehind = true;
		for (let failures = 0; !connection.closed.aborted; ) {
			const { current } = cursor;
			try {
				if (isBehind) yield* ignoreUnprovable(this.catchUp(connection, view));
				isBehind = false;
				failures = 0;
				span.reset();
				yield { kind: 'caughtUp' };
				for (const message of await connection.inbox.takeAll()) {
					yield* ignoreUnprovable(this.handleMessage(message, connection, view));
				}
			} catch (failure) {
				const isStuck = cursor.current === current;
				failures = isStuck ? failures + 1 : 1;
				// The blocks before the failure may have told something about the proofs.
				this.apply({ cursor: cursor.current, emissions: [] }, view);
				if (failures > MAX_ATTEMPTS) return rethrow(failure);
				if (isStuck && !(failure instanceof NodeLagging))
					span.narrow([{ blocks: span.blocks, refusal: { because: 'lost' } }]);
				isBehind = true;
				await wait(getPause(failure, failures, timing), connection.closed);
			} finally {
				yield* this.takeFound();
			}
		}
	}

	private createView({ call }: Connection): LiveView {
		const { report } = this.deps;
		return this.event.createView({
			blocks: { call, shared: this.shared },
			reportDoubt: (block) => report(new LogsMissing([block])),
			least: this.event.least,
		});
	}

	/** If a ping finds a new head that was not announced, the subscription may be lost. */
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

	/** Reads the chain from the cursor to the head. */
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

	/** The cursor also keeps what was found out about the proofs. */
	private apply({ cursor, emissions }: CursorAdvance, view: LiveView): void {
		if (view.emitsRemovals && emissions.some(({ change }) => change === 'removed'))
			this.deps.addHint(REMOVED_HINT);
		const proofs = getStoredProofs(this.shared(PROOF_STATE));
		this.cursor.apply({ cursor: { ...cursor, ...proofs }, emissions }, view);
	}

	/** Gives all items that were found since the last time. */
	private *takeFound(): Generator<SocketStep> {
		const execution = this.cursor.takeExecution();
		if (execution) yield { kind: 'found', ...execution };
	}
}

/** What an announced block adds if it is the next one; otherwise the chain must be read. */
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
		description: `The last event that n8n has stored is older than these blocks, and so many blocks are not read again. Events in them from the time when n8n was not running are lost. The trigger continues from block ${to + 1}.`,
	});
}

/**
 * Ends quietly if nothing on the node can prove that a block's logs are complete. A log of a later block may prove it,
 * so the trigger neither fails nor waits.
 */
async function* ignoreUnprovable(steps: AsyncIterable<SocketStep>): AsyncGenerator<SocketStep> {
	try {
		yield* steps;
	} catch (failure) {
		const isUnprovable = failure instanceof LogsLate && !failure.isProvable;
		if (!isUnprovable) rethrow(failure);
	}
}

/** The waits grow exponentially: a node may get a missing block soon, or late. */
function getPause(
	failure: unknown,
	failures: number,
	{ pauseMs, maxPauseMs }: SocketTriggerTiming,
): number {
	const retry = failure instanceof RequestFailure ? failure.retry : undefined;
	const asked = retry?.because === 'limit' ? retry.after : undefined;
	return Math.max(
		computeBackoff(failures - 1, pauseMs, maxPauseMs),
		Math.min(asked ?? 0, maxPauseMs),
	);
}
