import {
	asHeader,
	chainIdOf,
	headOf,
	heightOf,
	NodeLagging,
	BLOCKS_AT_ONCE,
} from '../core/chain/blocks';
import { RequestFailure } from '../core/errors/requestFailure';
import { readOn, type LiveView } from '../core/follow/advance';
import { kept, logProofs, restore } from '../core/follow/logProofs';
import { extend, fingerprint, isKnown, type Advance } from '../core/follow/position';
import { LogsLate } from '../core/follow/provenLogs';
import { BlockSpan } from '../core/chain/rangeLimits';
import { memoryOf } from '../core/operation/results';
import type { ChainReader } from '../core/rpc/chain';
import { exponentialBackoff } from '../core/pacing/retry';
import { wait } from '../core/pacing/stop';
import { isRecord } from '../core/values/read';
import type { Connection } from './connection';
import { Position } from './position';
import type { Follower, Timing, TriggerDeps } from './triggerEvent';

const ATTEMPTS = 5;

/**
 * Follows the chain block by block. An announcement only says that there is something to read: whatever was not
 * announced, or twice, or in another order, is emitted once and in order.
 */
export class ChainFollower implements Follower {
	readonly outageAdvice = 'What happens meanwhile is read as soon as the node is back.';
	readonly position: Position;
	private readonly timing: Timing;
	/** Kept over reconnects: the connection may have been lost to a range that was too large. */
	private readonly span = new BlockSpan(undefined, BLOCKS_AT_ONCE);
	private readonly memory = memoryOf();

	constructor(
		deps: TriggerDeps,
		/** What the user chose; after a change of it the trigger starts at the head. */
		choices: ReadonlyArray<string | readonly string[]>,
		private readonly viewOn: (chain: ChainReader) => LiveView,
		/** How many blocks to go back after a restart of n8n. */
		most: number,
	) {
		this.position = new Position(deps, fingerprint(choices), most);
		this.timing = deps.timing;
	}

	/** Subscribes first, so that nothing falls between the head and the first announcement. */
	async begin(connection: Connection): Promise<void> {
		await connection.subscription.begin('newHeads');
		const chain = await chainIdOf(connection);
		this.position.begin(chain, await headOf(connection));
		restore(this.memory(logProofs), this.position.cursor.proofs);
	}

	async follow(connection: Connection, caughtUp: () => void): Promise<void> {
		const { position, span, timing } = this;
		const view = this.viewOn({ call: connection.call, memory: this.memory });
		await position.startAgain(connection.closed);
		let isBehind = true;
		for (let failures = 0; !connection.closed.aborted; ) {
			const { cursor } = position;
			try {
				if (isBehind) await untilProven(this.catchUp(connection, view));
				isBehind = false;
				failures = 0;
				span.reset();
				caughtUp();
				for (const message of await connection.inbox.takeAll()) {
					await untilProven(this.take(message, connection, view));
				}
			} catch (failure) {
				const isStuck = position.cursor === cursor;
				failures = isStuck ? failures + 1 : 1;
				this.apply({ cursor: position.cursor, emissions: [] }, view);
				if (failures > ATTEMPTS) return await Promise.reject(failure);
				if (isStuck && !(failure instanceof NodeLagging))
					span.narrow([{ blocks: span.blocks, refusal: { because: 'lost' } }]);
				isBehind = true;
				await wait(pauseAfter(failure, failures, timing), connection.closed);
			} finally {
				await position.commit(connection.closed);
			}
		}
	}

	/** A new head that a ping found has not been announced: the subscription may be lost. */
	private async take(message: unknown, connection: Connection, view: LiveView): Promise<void> {
		if (await this.appends(message, view)) return;
		const { next } = this.position.cursor;
		await this.catchUp(connection, view);
		const wasMissed = !isRecord(message) && this.position.cursor.next > next;
		if (wasMissed) await connection.subscription.renew();
	}

	/** Appends an announced block if it is the next one; false if the chain must be read. */
	private async appends(message: unknown, view: LiveView): Promise<boolean> {
		const { cursor } = this.position;
		if (!isRecord(message)) return heightOf(message) < cursor.next;
		const header = asHeader(message);
		if (isKnown(cursor, header)) return true;
		const isNext = header.number === cursor.next;
		if (!isNext || header.parentHash !== cursor.checkpoints.at(-1)?.hash) return false;
		const events = await view.eventsIn(header);
		if (events.some(({ block }) => block.hash !== header.hash)) return false;
		this.apply(extend(cursor, header, events, view.emitsRemovals), view);
		return true;
	}

	/** Reads the chain from the position to the head. */
	private async catchUp(connection: Connection, view: LiveView): Promise<void> {
		const head = await headOf(connection);
		if (isKnown(this.position.cursor, head)) return;
		const last = () => Math.min(head.number, this.position.last);
		const reach = { head, last, span: this.span };
		for await (const step of readOn(this.position.cursor, view, reach)) {
			this.apply(step, view);
			await this.position.commit(connection.closed);
		}
	}

	/** What was learned on the way is kept with the position. */
	private apply({ cursor, emissions }: Advance, view: LiveView): void {
		const proofs = kept(this.memory(logProofs));
		this.position.apply({ cursor: { ...cursor, ...proofs }, emissions }, view);
	}
}

/** Where the node can prove nothing, the next block may: it is no failure, and no reason to wait for anything else. */
async function untilProven(work: Promise<void>): Promise<void> {
	await work.catch(async (failure: unknown) => {
		const isUnprovable = failure instanceof LogsLate && !failure.isProvable;
		if (!isUnprovable) await Promise.reject(failure);
	});
}

/** Exponential: what a node lacks may come soon, or late. */
function pauseAfter(failure: unknown, failures: number, { pause, longestPause }: Timing): number {
	const retry = failure instanceof RequestFailure ? failure.retry : undefined;
	const asked = retry?.because === 'limit' ? retry.after : undefined;
	return Math.max(
		exponentialBackoff(failures - 1, pause, longestPause),
		Math.min(asked ?? 0, longestPause),
	);
}
