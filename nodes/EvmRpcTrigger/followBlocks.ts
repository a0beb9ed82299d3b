import { asHeader, chainIdOf, headOf, heightOf, NodeLagging } from '../core/chain/blocks';
import { memoryOf } from '../core/operation/results';
import type { ChainReader } from '../core/rpc/chain';
import { RequestFailure } from '../core/errors/requestFailure';
import type { LiveView } from '../core/follow/advance';
import { extend, fingerprint, isKnown } from '../core/follow/position';
import { readOn } from '../core/follow/readOn';
import { exponentialBackoff } from '../core/pacing/retry';
import { wait } from '../core/pacing/stop';
import { isRecord } from '../core/values/read';
import type { Connection } from './connection';
import { Progress } from './progress';
import type { Timing } from './timing';
import type { Follower, TriggerDeps } from './triggerEvent';

/** Emits what a view shows of the chain, and what was missed as soon as the node is back. */
export class ChainFollower implements Follower {
	readonly meanwhile = 'What happens meanwhile is read as soon as the node is back.';
	private readonly progress: Progress;
	private readonly memory = memoryOf();

	constructor(
		private readonly around: TriggerDeps,
		/** What the user chose; after a change of it the trigger begins anew. */
		choices: ReadonlyArray<string | readonly string[]>,
		private readonly viewOn: (chain: ChainReader) => LiveView,
	) {
		this.progress = new Progress(around.storage, fingerprint(...choices), around.outbox);
	}

	/** Subscribes first, so that nothing falls between the head and the first announcement. */
	async begin(connection: Connection): Promise<void> {
		await connection.subscription.begin('newHeads');
		const chain = await chainIdOf(connection);
		this.progress.begin(chain, await headOf(connection));
	}

	async follow(connection: Connection, caughtUp: () => void): Promise<void> {
		const view = this.viewOn({ call: connection.call, memory: this.memory });
		await followBlocks(connection, view, this.progress, this.around.timing, caughtUp);
	}
}

const ATTEMPTS = 5;

/**
 * Follows the chain block by block until the connection is over. An announcement only says that there is
 * something to read: whatever was not announced, or twice, or in another order, is emitted once and in order.
 */
export async function followBlocks(
	connection: Connection,
	view: LiveView,
	progress: Progress,
	timing: Timing,
	caughtUp: () => void,
): Promise<void> {
	const catchUp = async () => await readToHead(connection, view, progress);
	let isBehind = true;
	for (let failures = 0; !connection.over.aborted; ) {
		const { cursor } = progress;
		try {
			if (isBehind) await catchUp();
			isBehind = false;
			failures = 0;
			progress.span.reset();
			caughtUp();
			for (const message of await connection.inbox.takeAll()) {
				if (await follows(message, view, progress)) continue;
				const { next } = progress.cursor;
				await catchUp();
				const wasMissed = !isRecord(message) && progress.cursor.next > next;
				if (wasMissed) await connection.subscription.renew();
			}
		} catch (failure) {
			const isStuck = progress.cursor === cursor;
			failures = isStuck ? failures + 1 : 1;
			if (failures > ATTEMPTS) return await Promise.reject(failure);
			if (isStuck && !(failure instanceof NodeLagging))
				progress.span.narrow([{ blocks: progress.span.blocks, refusal: { because: 'lost' } }]);
			isBehind = true;
			await wait(pauseAfter(failure, failures, timing), connection.over);
		} finally {
			await progress.flush(connection.over);
		}
	}
}

/** Takes an announced block if it is the next one; false if the chain must be read. */
async function follows(message: unknown, view: LiveView, progress: Progress): Promise<boolean> {
	const { cursor } = progress;
	if (!isRecord(message)) return heightOf(message) < cursor.next;
	const header = asHeader(message);
	if (isKnown(cursor, header)) return true;
	const isNext = header.number === cursor.next && !view.distance;
	if (!isNext || header.parentHash !== cursor.checkpoints.at(-1)?.hash) return false;
	const events = await view.eventsIn(header);
	if (events.some(({ block }) => block.hash !== header.hash)) return false;
	progress.apply(extend(cursor, header, events, view.emitsRemovals), view);
	return true;
}

/** Reads the chain from where the trigger stands to the head. */
async function readToHead(connection: Connection, view: LiveView, progress: Progress) {
	const head = await headOf(connection);
	if (isKnown(progress.cursor, head)) return;
	const reach = {
		head: head.number,
		last: () => Math.max(head.number - (view.distance ?? 0), 0),
		span: progress.span,
	};
	for await (const step of readOn(progress.cursor, view, reach)) {
		progress.apply(step, view);
		await progress.flush(connection.over);
	}
}

/** Ever longer, because what a node lacks may come soon, or late. */
function pauseAfter(failure: unknown, failures: number, { pause, longestPause }: Timing): number {
	const retry = failure instanceof RequestFailure ? failure.retry : undefined;
	const asked = retry?.because === 'limit' ? retry.after : undefined;
	return Math.max(
		exponentialBackoff(failures - 1, pause, longestPause),
		Math.min(asked ?? 0, longestPause),
	);
}
