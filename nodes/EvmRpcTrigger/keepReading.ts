import { NodeLagging } from '../core/errors/nodeLagging';
import { RequestFailure } from '../core/errors/requestFailure';
import { LogsLate } from '../core/evm/follow/provenLogs';
import { computeBackoff } from '../core/net/pacing/retry';
import { wait } from '../core/net/pacing/stop';
import { rethrow } from '../core/values/parse';
import type { SocketStep, SocketTriggerTiming } from './listener';

const MAX_ATTEMPTS = 5;

/** What `keepReading` needs to read a chain over one connection. */
interface ChainReading {
	/** Aborted when the connection is closed. */
	readonly closed: AbortSignal;
	readonly timing: SocketTriggerTiming;
	/** Gives the position up to which the chain was read. It must return another object after each step forward. */
	getPosition(): object;
	/** Reads the announced blocks. If the reader is behind, it first reads from its position to the latest block. */
	read(isBehind: boolean): AsyncIterable<SocketStep>;
	/** Called after each failure. `isStuck` is true if the attempt made no progress, perhaps because the answers were too large. */
	recover(isStuck: boolean): void;
	/** Gives the items that were found since the last execution. */
	takeFound(): Iterable<SocketStep>;
}

/** Reads the chain until the connection is closed. Failures are retried with growing pauses, until too many follow each other. */
export async function* keepReading(reading: ChainReading): AsyncGenerator<SocketStep> {
	const { closed, timing } = reading;
	let isBehind = true;
	for (let failures = 0; !closed.aborted; ) {
		const start = reading.getPosition();
		try {
			for await (const step of reading.read(isBehind)) {
				if (step.kind === 'caughtUp') [isBehind, failures] = [false, 0];
				yield step;
			}
		} catch (failure) {
			const isStuck = reading.getPosition() === start;
			failures = isStuck ? failures + 1 : 1;
			reading.recover(isStuck && !(failure instanceof NodeLagging));
			yield* reading.takeFound();
			if (failures > MAX_ATTEMPTS) return rethrow(failure);
			isBehind = true;
			await wait(getPause(failure, failures, timing), closed);
			continue;
		}
		yield* reading.takeFound();
	}
}

/** The pause grows with each failure, because a node may get a missing block soon or only much later. */
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

/**
 * Passes steps on, and ends without an error if a block's logs cannot be proven to be complete. A later block may bring the proof, so the
 * trigger continues.
 */
export async function* ignoreUnprovable(
	steps: AsyncIterable<SocketStep>,
): AsyncGenerator<SocketStep> {
	try {
		yield* steps;
	} catch (failure) {
		const isUnprovable = failure instanceof LogsLate && !failure.isProvable;
		if (!isUnprovable) rethrow(failure);
	}
}
