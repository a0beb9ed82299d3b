import {
	parseHeader,
	readChainIdentity,
	readHead,
	parseBlockNumber,
	NodeLagging,
	BLOCKS_PER_REQUEST,
} from '../core/evm/blocks';
import { RequestFailure } from '../core/errors/requestFailure';
import { readForward, type LiveView } from '../core/follow/advance';
import { getStoredProofs, createProofState, restoreProofs } from '../core/follow/logProofs';
import {
	extendCursor,
	buildFingerprint,
	hasBlock,
	type CursorAdvance,
} from '../core/follow/cursor';
import { LogsLate } from '../core/follow/provenLogs';
import { BlockSpan } from '../core/evm/rangeLimits';
import { createShared } from '../core/operation/results';
import type { ChainReader } from '../core/transport/rpc/chain';
import { computeBackoff } from '../core/transport/pacing/retry';
import { wait } from '../core/transport/pacing/stop';
import { isRecord } from '../core/values/read';
import type { Connection } from './connection';
import { ChainCursor } from './cursor';
import type { Follower, SocketTriggerTiming, TriggerDeps } from './triggerEvent';

const MAX_ATTEMPTS = 5;

/**
 * Follows the chain block by block. An announcement only says that there is something to read: whatever was not
 * announced, or twice, or in another order, is emitted once and in order.
 */
export class ChainFollower implements Follower {
	readonly outageAdvice = 'What happens meanwhile is read as soon as the node is back.';
	readonly position: ChainCursor;
	private readonly timing: SocketTriggerTiming;
	/** Kept over reconnects: the connection may have been lost to a range that was too large. */
	private readonly span = new BlockSpan(undefined, BLOCKS_PER_REQUEST);
	private readonly shared = createShared();

	constructor(
		deps: TriggerDeps,
		/** What the user chose; after a change of it the trigger starts at the head. */
		choices: ReadonlyArray<string | readonly string[]>,
		private readonly createView: (chain: ChainReader) => LiveView,
		/** How many blocks to go back after a restart of n8n. */
		most: number,
	) {
		this.position = new ChainCursor(deps, buildFingerprint(choices), most);
		this.timing = deps.timing;
	}

	/** Subscribes first, so that nothing falls between the head and the first announcement. */
	async subscribe(connection: Connection): Promise<void> {
		await connection.subscription.subscribe('newHeads');
		const chain = await readChainIdentity(connection);
		this.position.resume(chain, await readHead(connection));
		restoreProofs(this.shared(createProofState), this.position.cursor.proofs);
	}

	async follow(connection: Connection, caughtUp: () => void): Promise<void> {
		const { position, span, timing } = this;
		const view = this.createView({ call: connection.call, shared: this.shared });
		await position.restartPending(connection.closed);
		let isBehind = true;
		for (let failures = 0; !connection.closed.aborted; ) {
			const { cursor } = position;
			try {
				if (isBehind) await ignoreUnprovable(this.catchUp(connection, view));
				isBehind = false;
				failures = 0;
				span.reset();
				caughtUp();
				for (const message of await connection.inbox.takeAll()) {
					await ignoreUnprovable(this.handleMessage(message, connection, view));
				}
			} catch (failure) {
				const isStuck = position.cursor === cursor;
				failures = isStuck ? failures + 1 : 1;
				this.apply({ cursor: position.cursor, emissions: [] }, view);
				if (failures > MAX_ATTEMPTS) return await Promise.reject(failure);
				if (isStuck && !(failure instanceof NodeLagging))
					span.narrow([{ blocks: span.blocks, refusal: { because: 'lost' } }]);
				isBehind = true;
				await wait(getPause(failure, failures, timing), connection.closed);
			} finally {
				await position.commit(connection.closed);
			}
		}
	}

	/** A new head that a ping found has not been announced: the subscription may be lost. */
	private async handleMessage(
		message: unknown,
		connection: Connection,
		view: LiveView,
	): Promise<void> {
		if (await this.appendIfNext(message, view)) return;
		const { next } = this.position.cursor;
		await this.catchUp(connection, view);
		const wasMissed = !isRecord(message) && this.position.cursor.next > next;
		if (wasMissed) await connection.subscription.renew();
	}

	/** Appends an announced block if it is the next one; false if the chain must be read. */
	private async appendIfNext(message: unknown, view: LiveView): Promise<boolean> {
		const { cursor } = this.position;
		if (!isRecord(message)) return parseBlockNumber(message) < cursor.next;
		const header = parseHeader(message);
		if (hasBlock(cursor, header)) return true;
		const isNext = header.number === cursor.next;
		if (!isNext || header.parentHash !== cursor.checkpoints.at(-1)?.hash) return false;
		const events = await view.readBlockEvents(header);
		if (events.some(({ block }) => block.hash !== header.hash)) return false;
		this.apply(extendCursor(cursor, header, events, view.emitsRemovals), view);
		return true;
	}

	/** Reads the chain from the position to the head. */
	private async catchUp(connection: Connection, view: LiveView): Promise<void> {
		const head = await readHead(connection);
		if (hasBlock(this.position.cursor, head)) return;
		const last = () => Math.min(head.number, this.position.lastReadable);
		const reach = { head, last, span: this.span };
		for await (const step of readForward(this.position.cursor, view, reach)) {
			this.apply(step, view);
			await this.position.commit(connection.closed);
		}
	}

	/** What was learned on the way is kept with the position. */
	private apply({ cursor, emissions }: CursorAdvance, view: LiveView): void {
		const proofs = getStoredProofs(this.shared(createProofState));
		this.position.apply({ cursor: { ...cursor, ...proofs }, emissions }, view);
	}
}

/** Where the node can prove nothing, the next block may: it is no failure, and no reason to wait for anything else. */
async function ignoreUnprovable(work: Promise<void>): Promise<void> {
	await work.catch(async (failure: unknown) => {
		const isUnprovable = failure instanceof LogsLate && !failure.isProvable;
		if (!isUnprovable) await Promise.reject(failure);
	});
}

/** Exponential: what a node lacks may come soon, or late. */
function getPause(
	failure: unknown,
	failures: number,
	{ pauseMs: pause, maxPauseMs: longestPause }: SocketTriggerTiming,
): number {
	const retry = failure instanceof RequestFailure ? failure.retry : undefined;
	const asked = retry?.because === 'limit' ? retry.after : undefined;
	return Math.max(
		computeBackoff(failures - 1, pause, longestPause),
		Math.min(asked ?? 0, longestPause),
	);
}
