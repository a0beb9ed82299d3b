import { advance, type ChainView } from '../core/chain/follow';
import { extend, isKnown, type Happening } from '../core/chain/position';
import { asHeader, chainIdOf, headOf, heightOf, type Header } from '../core/chain/view';
import { RequestFailure } from '../core/failure';
import { isRecord } from '../core/json';
import type { Connection } from './connection';
import type { Progress } from './progress';
import { timing } from './timing';
import { wait } from './wait';

/** What of the chain is told. */
export interface Subject extends ChainView {
	/** What happened in a block that was just announced. */
	happenedIn(header: Header): Promise<readonly Happening[]>;
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
		const { position } = progress;
		try {
			if (isBehind) await catchUp();
			isBehind = false;
			failures = 0;
			progress.stretch.reset();
			caughtUp();
			for (const event of await connection.inbox.takeAll()) {
				if (await follows(event, subject, progress)) continue;
				const { next } = progress.position;
				await catchUp();
				const wasMissed = !isRecord(event) && progress.position.next > next;
				if (wasMissed) await connection.subscription.renew();
			}
		} catch (failure) {
			const isStuck = progress.position === position;
			failures = isStuck ? failures + 1 : 1;
			if (failures > ATTEMPTS) return await Promise.reject(failure);
			if (isStuck) progress.stretch.narrow();
			isBehind = true;
			await wait(pauseAfter(failure), connection.over);
		} finally {
			progress.flush();
		}
	}
}

/** Takes an announced block if it is the next one; false if the chain must be read. */
async function follows(event: unknown, subject: Subject, progress: Progress): Promise<boolean> {
	const { position } = progress;
	if (!isRecord(event)) return heightOf(event) < position.next;
	const header = asHeader(event);
	if (isKnown(position, header)) return true;
	const isNext = header.number === position.next;
	if (!isNext || header.parentHash !== position.marks.at(-1)?.hash) return false;
	const happened = await subject.happenedIn(header);
	if (happened.some(({ block }) => block.hash !== header.hash)) return false;
	progress.apply(extend(position, header, happened, subject.isTakenBack));
	return true;
}

/** Reads the chain from where the trigger stands to the head. */
async function readOn({ ask }: Connection, subject: Subject, progress: Progress): Promise<void> {
	const head = await headOf(ask);
	if (isKnown(progress.position, head)) return;
	for (let isMoving = true; isMoving; ) {
		const { position } = progress;
		const to = Math.min(head.number, position.next - 1 + progress.stretch.size);
		const step = await advance(position, to, subject, head.number);
		progress.apply(step);
		progress.flush();
		progress.stretch.widen();
		isMoving = step.position !== position && step.position.next <= head.number;
	}
}

function pauseAfter(failure: unknown): number {
	const retry = failure instanceof RequestFailure ? failure.retry : undefined;
	const asked = retry?.because === 'limit' ? retry.after : undefined;
	return Math.min(Math.max(asked ?? 0, timing.pause), timing.longestPause);
}
