import { advance, type ChainView } from '../core/evm/follow/advance';
import { extend, isKnown, type ChainEvent } from '../core/evm/follow/cursor';
import { asHeader, chainIdOf, headOf, heightOf, type Header } from '../core/evm/header';
import { RequestFailure } from '../core/errors/requestFailure';
import { isRecord } from '../core/values/parseJson';
import type { Connection } from './connection';
import type { Progress } from './progress';
import { timing } from './timing';
import { wait } from '../core/pacing/wait';

/** What of the chain is told. */
export interface Subject extends ChainView {
	/** What happened in a block that was just announced. */
	eventsIn(header: Header): Promise<readonly ChainEvent[]>;
}

const ATTEMPTS = 5;

/** Subscribes first, so that nothing falls between the head and the first announcement. */
export async function beginBlocks(connection: Connection, progress: Progress): Promise<void> {
	await connection.subscription.begin('newHeads');
	const chain = await chainIdOf(connection.ask);
	progress.begin(chain, await headOf(connection.ask));
}

/**
 * Follows the chain block by block until the connection is over. An announcement only says that there is
 * something to read: whatever was not announced, or twice, or in another order, is told once and in order.
 */
export async function followBlocks(
	connection: Connection,
	subject: Subject,
	progress: Progress,
	caughtUp: () => void,
): Promise<void> {
	const catchUp = async () => await readOn(connection, subject, progress);
	let isBehind = true;
	for (let failures = 0; !connection.over.aborted; ) {
		const { cursor } = progress;
		try {
			if (isBehind) await catchUp();
			isBehind = false;
			failures = 0;
			progress.rangeSize.reset();
			caughtUp();
			for (const event of await connection.inbox.takeAll()) {
				if (await follows(event, subject, progress)) continue;
				const { next } = progress.cursor;
				await catchUp();
				const wasMissed = !isRecord(event) && progress.cursor.next > next;
				if (wasMissed) await connection.subscription.renew();
			}
		} catch (failure) {
			const isStuck = progress.cursor === cursor;
			failures = isStuck ? failures + 1 : 1;
			if (failures > ATTEMPTS) return await Promise.reject(failure);
			if (isStuck) progress.rangeSize.narrow();
			isBehind = true;
			await wait(pauseAfter(failure), connection.over);
		} finally {
			progress.flush();
		}
	}
}

/** Takes an announced block if it is the next one; false if the chain must be read. */
async function follows(event: unknown, subject: Subject, progress: Progress): Promise<boolean> {
	const { cursor } = progress;
	if (!isRecord(event)) return heightOf(event) < cursor.next;
	const header = asHeader(event);
	if (isKnown(cursor, header)) return true;
	const isNext = header.number === cursor.next;
	if (!isNext || header.parentHash !== cursor.marks.at(-1)?.hash) return false;
	const events = await subject.eventsIn(header);
	if (events.some(({ block }) => block.hash !== header.hash)) return false;
	progress.apply(extend(cursor, header, events, subject.isTakenBack));
	return true;
}

/** Reads the chain from where the trigger stands to the head. */
async function readOn({ ask }: Connection, subject: Subject, progress: Progress): Promise<void> {
	const head = await headOf(ask);
	if (isKnown(progress.cursor, head)) return;
	for (let isMoving = true; isMoving; ) {
		const { cursor } = progress;
		const to = Math.min(head.number, cursor.next - 1 + progress.rangeSize.size);
		const step = await advance(cursor, to, subject, head.number);
		progress.apply(step);
		progress.flush();
		progress.rangeSize.widen();
		isMoving = step.cursor !== cursor && step.cursor.next <= head.number;
	}
}

function pauseAfter(failure: unknown): number {
	const retry = failure instanceof RequestFailure ? failure.retry : undefined;
	const asked = retry?.because === 'limit' ? retry.after : undefined;
	return Math.min(Math.max(asked ?? 0, timing.pause), timing.longestPause);
}
